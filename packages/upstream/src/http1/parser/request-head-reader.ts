/**
 * Parses the head of a request strictly by RFC 9112: one space between the parts of the request line, CRLF as the only
 * line end, no folded lines, no space before a colon, no control characters. Empty lines before the request line are
 * skipped (section 2.2). The head can arrive in pieces, and an error is found with its first wrong byte.
 *
 * The whole head is decoded with one native call and sliced. Values and the target are latin1, so one character is one
 * byte. The caller checks the method, the target and the headers that determine the length of the body.
 */
import type { HeaderPairs } from '@turnpike/core/http'
import { isTokenByte } from './byte-classes.ts'
import { HeaderLines, incomplete, malformed } from './header-lines.ts'

export interface RequestHead {
  readonly method: string
  /** The request target as received. */
  readonly target: string
  /** The version is HTTP/1.`minor`, 0 or 1. */
  readonly minor: number
  readonly headers: HeaderPairs
}

/** Why a head is rejected: its bytes are malformed, its target has a forbidden byte, or its version is unknown. */
export type HeadProblem = 'message' | 'target' | 'version'

const cr = 0x0d
const lf = 0x0a
const space = 0x20
const protocol = Buffer.from('HTTP/1.', 'latin1')
/** `HTTP/1.x` with the line end. */
const versionBytes = protocol.length + 3

export class RequestHeadReader {
  /** The last parsed head; valid after `read` has returned its end. */
  head: RequestHead | undefined = undefined
  /** Why `read` returned `malformed`. */
  problem: HeadProblem = 'message'
  private readonly lines = new HeaderLines(false)
  private phase: 'start' | 'method' | 'target' | 'version' | 'lines' = 'start'
  // Positions are relative to the start of the head.
  private scanned = 0
  private methodStart = 0
  private targetStart = 0
  private targetEnd = 0
  private minor = 1

  /** Starts the next head. */
  begin(): void {
    this.phase = 'start'
    this.scanned = 0
  }

  /** A byte of the request line was read. */
  get hasBegun(): boolean {
    return this.phase !== 'start'
  }

  /** Returns true if the request line was read completely and ends within this many bytes. */
  hasRequestLine(maxBytes: number): boolean {
    return this.phase === 'lines' && this.targetEnd + 1 + versionBytes <= maxBytes
  }

  /** Returns true if the method of the head at `start` is HEAD, whose response has no body. */
  isHead(bytes: Buffer, start: number): boolean {
    if (this.phase === 'start' || this.phase === 'method') return false
    return bytes.toString('latin1', start + this.methodStart, start + this.targetStart) === 'HEAD '
  }

  /** Reads the head at `start`, from where the last call stopped. Returns its end, `incomplete` or `malformed`. */
  read(bytes: Buffer, start: number, end: number): number {
    let at = start + this.scanned
    if (this.phase === 'start') at = this.skipEmptyLines(bytes, start, at, end)
    if (this.phase === 'method') at = this.readMethod(bytes, start, at, end)
    if (this.phase === 'target') at = this.readTarget(bytes, start, at, end)
    if (this.phase === 'version') at = this.readVersion(bytes, start, at, end)
    if (this.phase !== 'lines') return at
    const next = this.lines.read(bytes, start, end)
    if (next === malformed) return this.fail('message')
    return next < 0 || this.conclude(bytes, start, next) ? next : this.fail('message')
  }

  private skipEmptyLines(bytes: Buffer, start: number, from: number, end: number): number {
    let at = from
    while (at < end && bytes[at] === cr) {
      if (at + 1 === end) return this.pause(at - start)
      if (bytes[at + 1] !== lf) return this.fail('message')
      at += 2
    }
    if (at === end) return this.pause(at - start)
    this.phase = 'method'
    this.methodStart = at - start
    return at
  }

  private readMethod(bytes: Buffer, start: number, from: number, end: number): number {
    let at = from
    while (at < end && isTokenByte(bytes[at] as number)) at++
    if (at === end) return this.pause(at - start)
    if (bytes[at] !== space || at === start + this.methodStart) return this.fail('message')
    at++
    this.phase = 'target'
    this.targetStart = at - start
    return at
  }

  private readTarget(bytes: Buffer, start: number, from: number, end: number): number {
    let at = from
    while (at < end && (bytes[at] as number) > space) at++
    if (at === end) return this.pause(at - start)
    // Without a version it is a request of HTTP/0.9.
    if (bytes[at] === cr || bytes[at] === lf) return this.fail('message')
    if (bytes[at] !== space || at === start + this.targetStart) return this.fail('target')
    this.phase = 'version'
    this.targetEnd = at - start
    return at + 1
  }

  private readVersion(bytes: Buffer, start: number, at: number, end: number): number {
    const have = Math.min(end - at, versionBytes)
    for (let i = 0; i < have; i++) {
      const problem = versionProblem(bytes[at + i] as number, i)
      if (problem !== undefined) return this.fail(problem)
    }
    if (have < versionBytes) return this.pause(at - start)
    this.minor = (bytes[at + protocol.length] as number) - 0x30
    this.phase = 'lines'
    this.lines.begin(at - start + versionBytes)
    return at
  }

  /** Returns false if the length of the body has two readings. */
  private conclude(bytes: Buffer, start: number, end: number): boolean {
    const { lines } = this
    const text = bytes.toString('latin1', start, end)
    const headers: HeaderPairs = new Array(lines.count * 2)
    for (let i = 0; i < lines.count; i++) {
      const name = lines.name(i, text)
      if ((name === 'content-length' || name === 'transfer-encoding') && lines.hasTabAfter(i, text)) return false
      headers[i * 2] = name
      headers[i * 2 + 1] = lines.value(i, text)
    }
    const method = text.slice(this.methodStart, this.targetStart - 1)
    this.head = { method, target: text.slice(this.targetStart, this.targetEnd), minor: this.minor, headers }
    return true
  }

  private pause(scanned: number): number {
    this.scanned = scanned
    return incomplete
  }

  private fail(problem: HeadProblem): number {
    this.problem = problem
    return malformed
  }
}

/** Returns why the byte at this position of `HTTP/1.x` with its line end is wrong, or `undefined`. */
function versionProblem(byte: number, at: number): HeadProblem | undefined {
  const major = protocol.length - 2
  if (at === protocol.length) return byte === 0x30 || byte === 0x31 ? undefined : versionOrMessage(byte)
  if (at === protocol.length + 1) return byte === cr ? undefined : 'message'
  if (at === protocol.length + 2) return byte === lf ? undefined : 'message'
  if (byte === protocol[at]) return undefined
  return at === major ? versionOrMessage(byte) : 'message'
}

/** Another digit is another version. */
function versionOrMessage(byte: number): HeadProblem {
  return byte >= 0x30 && byte <= 0x39 ? 'version' : 'message'
}
