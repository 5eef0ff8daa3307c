/**
 * Incremental decoder of the chunked transfer coding (RFC 9112 section 7.1) for pieces of any size. It locates the data,
 * validates and ignores chunk extensions, and collects trailers.
 */
import { type HeaderPairs, maxTrailerLines } from '@turnpike/core/http'
import { isTokenByte, isValueByte } from './byte-classes.ts'

const cr = 0x0d
const lf = 0x0a
const semicolon = 0x3b
const colon = 0x3a
const equals = 0x3d
const quote = 0x22
const backslash = 0x5c

type State =
  | 'size'
  | 'size-digits'
  | 'extension'
  | 'extension-name'
  | 'extension-value'
  | 'quoted'
  | 'quoted-pair'
  | 'quoted-end'
  | 'size-lf'
  | 'data'
  | 'data-cr'
  | 'data-lf'
  | 'trailer'
  | 'trailer-name'
  | 'trailer-value'
  | 'trailer-lf'
  | 'last-lf'
  | 'end'

export class ChunkReader {
  /** Remaining data bytes of the current chunk. */
  remaining = 0
  /** Trailers with names in lower case; `undefined` if there are none. */
  trailers: HeaderPairs | undefined = undefined
  private name = ''
  private value = ''
  private state: State = 'size'
  private lineBytes = 0
  private readonly maxLineBytes: number

  /** `maxLineBytes` limits the header line of a chunk, and all trailers together. */
  constructor(maxLineBytes: number) {
    this.maxLineBytes = maxLineBytes
  }

  get ended(): boolean {
    return this.state === 'end'
  }

  /** Starts a body. */
  begin(): void {
    this.state = 'size'
    this.remaining = 0
    this.lineBytes = 0
    this.trailers = undefined
    this.name = this.value = ''
  }

  /** DedupKeys `count` data bytes as consumed. */
  consume(count: number): void {
    this.remaining -= count
    if (this.remaining === 0) this.state = 'data-cr'
  }

  /** Skips bytes that are not data. Returns the start of data, the end of the body or of the bytes, or -1 if malformed. */
  skip(bytes: Uint8Array, start: number, end: number): number {
    for (let at = start; at < end; at++) {
      if (this.state === 'data') return at
      if (!this.step(bytes[at] as number) || ++this.lineBytes > this.maxLineBytes) return -1
      if (this.state === 'end') return at + 1
    }
    return end
  }

  private step(byte: number): boolean {
    switch (this.state) {
      case 'size':
        this.state = 'size-digits'
        return this.digit(byte)
      case 'size-digits':
        if (byte === cr) this.state = 'size-lf'
        else if (byte === semicolon) this.state = 'extension'
        else return this.digit(byte)
        return true
      case 'size-lf':
        this.lineBytes = 0
        this.state = this.remaining === 0 ? 'trailer' : 'data'
        return byte === lf
      case 'data-cr':
        this.state = 'data-lf'
        return byte === cr
      case 'data-lf':
        this.lineBytes = 0
        this.state = 'size'
        return byte === lf
      case 'trailer':
      case 'trailer-name':
      case 'trailer-value':
      case 'trailer-lf':
      case 'last-lf':
        return this.trailerStep(byte)
      default:
        return this.extensionStep(byte)
    }
  }

  /** An extension is a name with an optional value, which may be quoted. */
  private extensionStep(byte: number): boolean {
    switch (this.state) {
      case 'extension':
        this.state = 'extension-name'
        return isTokenByte(byte)
      case 'extension-name':
        if (byte === equals) this.state = 'extension-value'
        else return isTokenByte(byte) || this.extensionEnds(byte)
        return true
      case 'extension-value':
        if (byte === quote) this.state = 'quoted'
        else return isTokenByte(byte) || this.extensionEnds(byte)
        return true
      case 'quoted':
        if (byte === quote) this.state = 'quoted-end'
        else if (byte === backslash) this.state = 'quoted-pair'
        return isValueByte(byte)
      case 'quoted-pair':
        this.state = 'quoted'
        return isValueByte(byte)
      default:
        return this.state === 'quoted-end' && this.extensionEnds(byte)
    }
  }

  private extensionEnds(byte: number): boolean {
    this.state = byte === cr ? 'size-lf' : 'extension'
    return byte === cr || byte === semicolon
  }

  private trailerStep(byte: number): boolean {
    switch (this.state) {
      case 'trailer':
        this.state = byte === cr ? 'last-lf' : 'trailer-name'
        if (byte !== cr) this.name = String.fromCharCode(byte)
        return byte === cr || isTokenByte(byte)
      case 'trailer-name':
        if (byte === colon) this.state = 'trailer-value'
        else this.name += String.fromCharCode(byte)
        return byte === colon || isTokenByte(byte)
      case 'trailer-value':
        if (byte === cr) this.state = 'trailer-lf'
        else this.value += String.fromCharCode(byte)
        return byte === cr || isValueByte(byte)
      case 'trailer-lf':
        this.state = 'trailer'
        return byte === lf && this.keepTrailer()
      case 'last-lf':
        this.state = 'end'
        return byte === lf
      default:
        return false
    }
  }

  private keepTrailer(): boolean {
    this.trailers ??= []
    this.trailers.push(this.name.toLowerCase(), this.value.replace(/^[\t ]+|[\t ]+$/g, ''))
    this.name = this.value = ''
    return this.trailers.length <= 2 * maxTrailerLines
  }

  private digit(byte: number): boolean {
    const value = hexValue(byte)
    this.remaining = this.remaining * 16 + value
    return value >= 0 && this.remaining <= Number.MAX_SAFE_INTEGER
  }
}

function hexValue(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
