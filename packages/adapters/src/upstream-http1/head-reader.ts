/**
 * Reads the head of an answer from bytes, in one pass over them: status line and header lines as RFC 9112 has them, and
 * nothing more lenient. What undici's parser refuses is refused here too: folded lines, line feeds without a carriage
 * return, blanks before a colon, control characters, a second Content-Length, a length beside a transfer coding.
 *
 * The pass notes where names and values stand; then the head is decoded once and cut, which costs one call out of
 * JavaScript for all lines. Values are Latin-1: one character is one byte.
 */
import type { HeaderPairs } from '@turnpike/core'
import { knownName } from '../upstream-common/header-names.ts'
import { isTokenByte, isValueByte } from './byte-classes.ts'

/** What a head says. */
export interface AnswerHead {
  readonly status: number
  readonly headers: HeaderPairs
  /** As told by Content-Length. */
  readonly length: number | undefined
  readonly chunked: boolean
  readonly gzipped: boolean
  /** The upstream closes the connection after this answer. */
  readonly closes: boolean
  /** How long the upstream keeps the connection, in ms, as told by Keep-Alive. */
  readonly keptMs: number | undefined
}

/** The head does not end within the bytes that are there. */
export const incomplete = -1
/** This is no head of an HTTP/1.x answer. */
export const malformed = -2

const cr = 0x0d
const lf = 0x0a
const space = 0x20
const tab = 0x09
const colon = 0x3a
/** `HTTP/1.`, and what follows: the version's digit, a space, three digits. */
const protocol = Buffer.from('HTTP/1.', 'latin1')
const afterStatus = protocol.length + 5

export class HeadReader {
  /** The head that was read last; only there when `read` told where it ends. */
  head: AnswerHead | undefined = undefined
  /** Where each line's name begins and ends and its value begins and ends. */
  private readonly marks: number[] = []
  private readonly names: (string | undefined)[] = []
  private lines = 0

  /** Reads the head that begins at `start`. Returns where it ends, or `incomplete`, or `malformed`. */
  read(bytes: Buffer, start: number, end: number): number {
    this.lines = 0
    let at = readStatusLine(bytes, start, end)
    while (at >= 0) {
      if (at + 1 >= end)
        return at < end && bytes[at] !== cr && !isTokenByte(bytes[at] as number) ? malformed : incomplete
      if (bytes[at] === cr) {
        if (bytes[at + 1] !== lf) return malformed
        return this.conclude(bytes, start, at) ? at + 2 : malformed
      }
      at = this.readLine(bytes, at, end)
    }
    return at
  }

  /** Reads one header line; the same results as `read`. */
  private readLine(bytes: Buffer, start: number, end: number): number {
    let at = start
    while (at < end && isTokenByte(bytes[at] as number)) at++
    if (at === end) return incomplete
    if (bytes[at] !== colon || at === start) return malformed
    const nameEnd = at++
    while (at < end && isBlank(bytes[at] as number)) at++
    const valueStart = at
    while (at < end && isValueByte(bytes[at] as number)) at++
    if (at + 1 >= end) return at < end && bytes[at] !== cr ? malformed : incomplete
    if (bytes[at] !== cr || bytes[at + 1] !== lf) return malformed
    let valueEnd = at
    while (valueEnd > valueStart && isBlank(bytes[valueEnd - 1] as number)) valueEnd--
    const { marks, lines } = this
    marks[lines * 4] = start
    marks[lines * 4 + 1] = nameEnd
    marks[lines * 4 + 2] = valueStart
    marks[lines * 4 + 3] = valueEnd
    this.names[lines] = knownName(bytes, start, nameEnd)
    this.lines++
    return at + 2
  }

  /** Makes the head from what was noted; `false` when its lines contradict each other. */
  private conclude(bytes: Buffer, start: number, end: number): boolean {
    const { lines, marks, names } = this
    const text = bytes.toString('latin1', start, end)
    const minor = text.charCodeAt(protocol.length) - 0x30
    const headers: HeaderPairs = new Array(lines * 2)
    let length: number | undefined
    let codings = ''
    let gzipped = false
    let connection = ''
    let keptMs: number | undefined
    for (let i = 0; i < lines; i++) {
      const mark = i * 4
      const name =
        names[i] ?? text.slice((marks[mark] as number) - start, (marks[mark + 1] as number) - start).toLowerCase()
      const value = text.slice((marks[mark + 2] as number) - start, (marks[mark + 3] as number) - start)
      headers[i * 2] = name
      headers[i * 2 + 1] = value
      switch (name) {
        case 'content-length':
          if (length !== undefined) return false
          length = lengthOf(value)
          if (length === undefined) return false
          break
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
          keptMs = keptMsOf(value)
          break
      }
    }
    const chunked = codings !== ''
    if (chunked && (length !== undefined || !isChunkedOnly(codings))) return false
    const closes = connection === '' ? minor === 0 : closesAfter(connection, minor)
    const status = statusOf(bytes, start + protocol.length + 2)
    this.head = { status, headers, length, chunked, gzipped, closes: closes || (chunked && minor === 0), keptMs }
    return true
  }
}

/** Where the first header line begins, or `incomplete`, or `malformed`. */
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
  // The reason is anything but a line's end; it may be missing, and its blank too.
  if (bytes[at] !== space && bytes[at] !== cr) return malformed
  while (at < end && bytes[at] !== cr && bytes[at] !== lf) at++
  if (at + 1 >= end) return at < end && bytes[at] === lf ? malformed : incomplete
  return bytes[at] === cr && bytes[at + 1] === lf ? at + 2 : malformed
}

/** The three digits; `NaN` when they are none. */
function statusOf(bytes: Buffer, at: number): number {
  let status = 0
  for (let i = 0; i < 3; i++) {
    const digit = (bytes[at + i] as number) - 0x30
    if (digit < 0 || digit > 9) return Number.NaN
    status = status * 10 + digit
  }
  return status
}

function isBlank(byte: number): boolean {
  return byte === space || byte === tab
}

/** Digits only, and no more than can be counted. */
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

// Nobody was asked for another coding (RFC 9110, 10.1.4), and taking one off is not what a gateway can do.
function isChunkedOnly(codings: string): boolean {
  return codings.slice(1).trim().toLowerCase() === 'chunked'
}

function closesAfter(connection: string, minor: number): boolean {
  if (connection === 'keep-alive') return false
  const lower = connection.toLowerCase()
  const words = lower.split(',').map((word) => word.trim())
  return words.includes('close') || (minor === 0 && !words.includes('keep-alive'))
}

/** Seconds behind `timeout=`, wherever it stands; by hand, since many servers send it with every answer. */
function keptMsOf(value: string): number | undefined {
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

function isGzip(coding: string): boolean {
  const lower = coding.toLowerCase()
  return lower === 'gzip' || lower === 'x-gzip'
}
