/**
 * Header lines of a request or a response (RFC 9112 section 5). One pass over the bytes records the positions of names and
 * values. The head can arrive in pieces: the next call continues where the last one stopped, so that the work is
 * proportional to the bytes, however small the pieces are.
 */
import { knownName } from '../../shared/header-names.ts'
import { isTokenByte, isValueByte } from './byte-classes.ts'

/** The bytes do not contain the end of the head. */
export const incomplete = -1
/** The bytes are not a head of HTTP/1.x. */
export const malformed = -2

const cr = 0x0d
const lf = 0x0a
const space = 0x20
const tab = 0x09
const colon = 0x3a

export class HeaderLines {
  /** Number of lines that were read. */
  count = 0
  /** Four positions per line, relative to the start of the head: start and end of the name, start and end of the value. */
  private readonly marks: number[] = []
  /** The names of lines that are common, in lower case. */
  private readonly names: (string | undefined)[] = []
  private readonly allowsBareLf: boolean
  private phase: 'name' | 'blank' | 'value' = 'name'
  private scanned = 0
  private lineStart = 0
  private nameEnd = 0
  private valueStart = 0

  /** `allowsBareLf`: a line feed alone ends a line, which RFC 9112 section 2.2 permits. */
  constructor(allowsBareLf: boolean) {
    this.allowsBareLf = allowsBareLf
  }

  /** Starts a head whose first header line begins at this position, relative to the start of the head. */
  begin(at: number): void {
    this.count = 0
    this.phase = 'name'
    this.scanned = at
    this.lineStart = at
  }

  /** Reads lines of the head at `start`. Returns the position after the empty line, `incomplete` or `malformed`. */
  read(bytes: Uint8Array, start: number, end: number): number {
    let at = start + this.scanned
    for (;;) {
      if (this.phase === 'name') {
        if (at === start + this.lineStart && at < end && isEndByte(bytes[at] as number)) {
          return this.pauseIfIncomplete(lineEnd(bytes, at, end, this.allowsBareLf), at - start)
        }
        while (at < end && isTokenByte(bytes[at] as number)) at++
        if (at === end) return this.pause(at - start)
        if (bytes[at] !== colon || at === start + this.lineStart) return malformed
        this.nameEnd = at++ - start
        this.phase = 'blank'
      }
      if (this.phase === 'blank') {
        while (at < end && isBlank(bytes[at] as number)) at++
        if (at === end) return this.pause(at - start)
        this.valueStart = at - start
        this.phase = 'value'
      }
      while (at < end && isValueByte(bytes[at] as number)) at++
      const next = lineEnd(bytes, at, end, this.allowsBareLf)
      if (next < 0) return this.pauseIfIncomplete(next, at - start)
      this.keepLine(bytes, start, at)
      at = next
    }
  }

  /** The name of a line in lower case. `text` is the head. */
  name(line: number, text: string): string {
    const mark = line * 4
    return this.names[line] ?? text.slice(this.marks[mark] as number, this.marks[mark + 1] as number).toLowerCase()
  }

  /** The value of a line without the blanks around it. `text` is the head. */
  value(line: number, text: string): string {
    const mark = line * 4 + 2
    return text.slice(this.marks[mark] as number, this.marks[mark + 1] as number)
  }

  /**
   * Returns true if a tab is among the blanks after the value. After a length RFC 9110 (section 5.5) allows it, but Node
   * rejects it. Where two parsers disagree about framing, a message can be split.
   */
  hasTabAfter(line: number, text: string): boolean {
    let at = this.marks[line * 4 + 3] as number
    while (text.charCodeAt(at) === space) at++
    return text.charCodeAt(at) === tab
  }

  private keepLine(bytes: Uint8Array, start: number, end: number): void {
    const { marks, count, lineStart, nameEnd, valueStart } = this
    let valueEnd = end
    while (valueEnd > start + valueStart && isBlank(bytes[valueEnd - 1] as number)) valueEnd--
    const mark = count * 4
    marks[mark] = lineStart
    marks[mark + 1] = nameEnd
    marks[mark + 2] = valueStart
    marks[mark + 3] = valueEnd - start
    this.names[count] = knownName(bytes, start + lineStart, start + nameEnd)
    this.count++
    this.phase = 'name'
    this.lineStart = end - start + (bytes[end] === cr ? 2 : 1)
  }

  private pause(scanned: number): number {
    this.scanned = scanned
    return incomplete
  }

  private pauseIfIncomplete(result: number, scanned: number): number {
    return result === incomplete ? this.pause(scanned) : result
  }
}

/** Returns the start of the next line if a line ends at `at`, otherwise `incomplete` or `malformed`. */
export function lineEnd(bytes: Uint8Array, at: number, end: number, allowsBareLf: boolean): number {
  if (at === end) return incomplete
  if (bytes[at] === lf) return allowsBareLf ? at + 1 : malformed
  if (bytes[at] !== cr) return malformed
  if (at + 1 === end) return incomplete
  return bytes[at + 1] === lf ? at + 2 : malformed
}

function isBlank(byte: number): boolean {
  return byte === space || byte === tab
}

function isEndByte(byte: number): boolean {
  return byte === cr || byte === lf
}
