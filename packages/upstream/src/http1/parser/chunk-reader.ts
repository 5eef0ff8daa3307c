/**
 * Incremental decoder of the chunked transfer coding (RFC 9112 section 7.1) for pieces of any size. It locates the data,
 * validates and ignores chunk extensions, and collects trailers.
 */
import { type HeaderPairs, maxTrailerLines, trimSpaces } from '@turnpike/core/http'
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
  /** Trailers with names in lower case; `undefined` if there are none. */
  trailers: HeaderPairs | undefined = undefined
  /** The body was malformed because a line or the trailers exceed their limit. */
  exceedsLimit = false
  /** The data that the last call of `read` found, as positions in its bytes. */
  dataStart = 0
  dataEnd = 0
  /** Remaining data bytes of the current chunk. */
  private remaining = 0
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
    this.exceedsLimit = false
    this.name = this.value = ''
  }

  /**
   * Reads bytes of a body, and moves the data of all chunks together, over the chunk headers between them, so that the
   * receiver is called once: a peer can send a chunk for each byte. `dataStart` and `dataEnd` say where the data is.
   * Returns the end of the body or of the bytes, or -1 if malformed; the data before the error is valid.
   */
  read(bytes: Buffer, start: number, end: number): number {
    let at = start
    this.dataStart = start
    this.dataEnd = start
    while (at >= 0 && at < end && !this.ended) {
      at = this.skip(bytes, at, end)
      const taken = at < 0 || this.ended ? 0 : Math.min(end - at, this.remaining)
      if (taken === 0) continue
      if (this.dataStart === this.dataEnd) this.dataStart = this.dataEnd = at
      else bytes.copyWithin(this.dataEnd, at, at + taken)
      this.remaining -= taken
      if (this.remaining === 0) this.state = 'data-cr'
      this.dataEnd += taken
      at += taken
    }
    return at
  }

  /** Skips bytes that are not data. Returns the start of data, the end of the body or of the bytes, or -1 if malformed. */
  private skip(bytes: Uint8Array, start: number, end: number): number {
    for (let at = start; at < end; at++) {
      if (this.state === 'data') return at
      if (!this.step(bytes[at] as number)) return -1
      if (++this.lineBytes > this.maxLineBytes) {
        this.exceedsLimit = true
        return -1
      }
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
    this.trailers.push(this.name.toLowerCase(), trimSpaces(this.value))
    this.name = this.value = ''
    this.exceedsLimit = this.trailers.length > 2 * maxTrailerLines
    return !this.exceedsLimit
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
