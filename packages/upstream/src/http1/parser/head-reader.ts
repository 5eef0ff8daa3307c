/**
 * Parses the head of a response by RFC 9112. Like undici, it rejects folded lines, spaces before a colon, control
 * characters, and Content-Length together with Transfer-Encoding. A line feed alone ends a line (RFC 9112 section 2.2),
 * and equal lines of Content-Length count as one (RFC 9110 section 8.6).
 *
 * The whole head is decoded with one native call and sliced. Values are latin1, so one character is one byte.
 */
import type { HeaderPairs } from '@turnpike/core/http'
import { isGzip, type ResponseHead } from '../../shared/response-head.ts'
import { HeaderLines, incomplete, lineEnd, malformed } from './header-lines.ts'

export interface Http1ResponseHead extends ResponseHead {
  /** The upstream closes the connection after this response. */
  readonly closes: boolean
  /** Idle timeout of the upstream in milliseconds, from its Keep-Alive header. */
  readonly upstreamKeepAliveMs: number | undefined
}

const cr = 0x0d
const lf = 0x0a
const space = 0x20
/** The status line begins with `HTTP/1.`, followed by the minor version, a space and three digits. */
const protocol = Buffer.from('HTTP/1.', 'latin1')
const afterStatus = protocol.length + 5

export class HeadReader {
  /** The last parsed head; valid after `read` has returned its end. */
  head: Http1ResponseHead | undefined = undefined
  private readonly lines = new HeaderLines(true)

  /** Parses the head at `start`. Returns its end, `incomplete` or `malformed`. */
  read(bytes: Buffer, start: number, end: number): number {
    const firstLine = readStatusLine(bytes, start, end)
    if (firstLine < 0) return firstLine
    this.lines.begin(firstLine - start)
    const next = this.lines.read(bytes, start, end)
    return next < 0 || this.conclude(bytes, start, next) ? next : malformed
  }

  /** Creates the head from the recorded positions. Returns false if its headers contradict each other. */
  private conclude(bytes: Buffer, start: number, end: number): boolean {
    const { lines } = this
    const text = bytes.toString('latin1', start, end)
    const minor = text.charCodeAt(protocol.length) - 0x30
    const headers: HeaderPairs = new Array(lines.count * 2)
    let filled = 0
    let length: number | undefined
    let codings = ''
    let gzipped = false
    let connection = ''
    let upstreamKeepAliveMs: number | undefined
    for (let i = 0; i < lines.count; i++) {
      const name = lines.name(i, text)
      const value = lines.value(i, text)
      switch (name) {
        case 'content-length': {
          const first = length
          length = lengthOf(value)
          if (length === undefined || lines.hasTabAfter(i, text)) return false
          if (first === length) continue
          if (first !== undefined) return false
          break
        }
        case 'transfer-encoding':
          codings += `,${value}`
          break
        case 'content-encoding':
          gzipped = isGzip(value)
          break
        case 'connection':
          connection = connection === '' ? value : `${connection},${value}`
          break
        case 'keep-alive':
          upstreamKeepAliveMs = keepAliveMsOf(value)
          break
      }
      headers[filled++] = name
      headers[filled++] = value
    }
    headers.length = filled
    const chunked = codings !== ''
    if (chunked && (length !== undefined || !isChunkedOnly(codings))) return false
    const closes = connection === '' ? minor === 0 : closesAfter(connection, minor)
    const status = statusOf(bytes, start + protocol.length + 2)
    this.head = {
      status,
      headers,
      length,
      chunked,
      gzipped,
      closes: closes || (chunked && minor === 0),
      upstreamKeepAliveMs,
    }
    return true
  }
}

/** Returns the start of the first header line, `incomplete` or `malformed`. */
function readStatusLine(bytes: Buffer, start: number, end: number): number {
  for (let i = 0; i < protocol.length; i++) {
    if (start + i >= end) return incomplete
    if (bytes[start + i] !== protocol[i]) return malformed
  }
  let at = start + afterStatus
  if (at >= end) return incomplete
  const minor = bytes[start + protocol.length]
  if ((minor !== 0x30 && minor !== 0x31) || bytes[start + protocol.length + 1] !== space) return malformed
  const status = statusOf(bytes, at - 3)
  if (!(status >= 100)) return malformed
  // The reason phrase, and the space before it, may be missing.
  if (bytes[at] !== space && bytes[at] !== cr && bytes[at] !== lf) return malformed
  while (at < end && bytes[at] !== cr && bytes[at] !== lf) at++
  return lineEnd(bytes, at, end, true)
}

/** Returns the status of three digits, or `NaN`. */
function statusOf(bytes: Buffer, at: number): number {
  let status = 0
  for (let i = 0; i < 3; i++) {
    const digit = (bytes[at + i] as number) - 0x30
    if (digit < 0 || digit > 9) return Number.NaN
    status = status * 10 + digit
  }
  return status
}

/** Returns the number, or `undefined` unless the value consists of 1 to 15 digits. */
function lengthOf(value: string): number | undefined {
  if (value === '' || value.length > 15) return undefined
  let length = 0
  for (let i = 0; i < value.length; i++) {
    const digit = value.charCodeAt(i) - 0x30
    if (digit < 0 || digit > 9) return undefined
    length = length * 10 + digit
  }
  return length
}

// The gateway requests no other transfer coding (TE, RFC 9110 section 10.1.4) and does not support any.
function isChunkedOnly(codings: string): boolean {
  return codings.slice(1).trim().toLowerCase() === 'chunked'
}

function closesAfter(connection: string, minor: number): boolean {
  if (connection === 'keep-alive') return false
  const lower = connection.toLowerCase()
  const words = lower.split(',').map((word) => word.trim())
  return words.includes('close') || (minor === 0 && !words.includes('keep-alive'))
}

/** Parses `timeout=SECONDS` of Keep-Alive. No regular expression, because many servers send it with every response. */
function keepAliveMsOf(value: string): number | undefined {
  const name = value.indexOf('timeout=')
  if (name < 0) return undefined
  let seconds = 0
  for (let at = name + 8; at < value.length; at++) {
    const digit = value.charCodeAt(at) - 0x30
    if (digit < 0 || digit > 9) break
    seconds = Math.min(seconds * 10 + digit, 1e6)
  }
  return seconds * 1000
}
