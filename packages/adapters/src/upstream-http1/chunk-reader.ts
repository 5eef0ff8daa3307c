/**
 * Where the data of a chunked body stand (RFC 9112, 7.1). Works on pieces of any size and keeps only where it is:
 * sizes are never trusted to end within a piece. Extensions are checked and passed over, trailers kept.
 */
import { type HeaderPairs, maxTrailerLines } from '@turnpike/core'
import { isTokenByte, isValueByte } from './byte-classes.ts'

const cr = 0x0d
const lf = 0x0a
const semicolon = 0x3b
const colon = 0x3a
const equals = 0x3d
const quote = 0x22
const backslash = 0x5c

type Place =
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
  /** Data bytes that are due before the chunk ends. */
  left = 0
  /** What stands behind the last chunk: names in lower case, values as they came. `undefined`: nothing. */
  trailers: HeaderPairs | undefined = undefined
  private name = ''
  private value = ''
  private place: Place = 'size'
  private lineBytes = 0
  private readonly maxLineBytes: number

  /** `maxLineBytes` bounds a chunk's first line, and all trailers together. */
  constructor(maxLineBytes: number) {
    this.maxLineBytes = maxLineBytes
  }

  get ended(): boolean {
    return this.place === 'end'
  }

  /** Begins a body. */
  begin(): void {
    this.place = 'size'
    this.left = 0
    this.lineBytes = 0
    this.trailers = undefined
    this.name = this.value = ''
  }

  /** Says that so many of the data bytes that are due were taken. */
  took(count: number): void {
    this.left -= count
    if (this.left === 0) this.place = 'data-cr'
  }

  /** Passes over all that is no data. Returns where data begin, or `end` of the bytes or of the body; -1: malformed. */
  skip(bytes: Uint8Array, start: number, end: number): number {
    for (let at = start; at < end; at++) {
      if (this.place === 'data') return at
      if (!this.step(bytes[at] as number) || ++this.lineBytes > this.maxLineBytes) return -1
      if (this.place === 'end') return at + 1
    }
    return end
  }

  private step(byte: number): boolean {
    switch (this.place) {
      case 'size':
        this.place = 'size-digits'
        return this.digit(byte)
      case 'size-digits':
        if (byte === cr) this.place = 'size-lf'
        else if (byte === semicolon) this.place = 'extension'
        else return this.digit(byte)
        return true
      case 'size-lf':
        this.lineBytes = 0
        this.place = this.left === 0 ? 'trailer' : 'data'
        return byte === lf
      case 'data-cr':
        this.place = 'data-lf'
        return byte === cr
      case 'data-lf':
        this.lineBytes = 0
        this.place = 'size'
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

  /** Extensions are names, each with a value or without; a value may be quoted. */
  private extensionStep(byte: number): boolean {
    switch (this.place) {
      case 'extension':
        this.place = 'extension-name'
        return isTokenByte(byte)
      case 'extension-name':
        if (byte === equals) this.place = 'extension-value'
        else return isTokenByte(byte) || this.extensionEnds(byte)
        return true
      case 'extension-value':
        if (byte === quote) this.place = 'quoted'
        else return isTokenByte(byte) || this.extensionEnds(byte)
        return true
      case 'quoted':
        if (byte === quote) this.place = 'quoted-end'
        else if (byte === backslash) this.place = 'quoted-pair'
        return isValueByte(byte)
      case 'quoted-pair':
        this.place = 'quoted'
        return isValueByte(byte)
      default:
        return this.place === 'quoted-end' && this.extensionEnds(byte)
    }
  }

  private extensionEnds(byte: number): boolean {
    this.place = byte === cr ? 'size-lf' : 'extension'
    return byte === cr || byte === semicolon
  }

  private trailerStep(byte: number): boolean {
    switch (this.place) {
      case 'trailer':
        this.place = byte === cr ? 'last-lf' : 'trailer-name'
        if (byte !== cr) this.name = String.fromCharCode(byte)
        return byte === cr || isTokenByte(byte)
      case 'trailer-name':
        if (byte === colon) this.place = 'trailer-value'
        else this.name += String.fromCharCode(byte)
        return byte === colon || isTokenByte(byte)
      case 'trailer-value':
        if (byte === cr) this.place = 'trailer-lf'
        else this.value += String.fromCharCode(byte)
        return byte === cr || isValueByte(byte)
      case 'trailer-lf':
        this.place = 'trailer'
        return byte === lf && this.keepTrailer()
      case 'last-lf':
        this.place = 'end'
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
    this.left = this.left * 16 + value
    return value >= 0 && this.left <= Number.MAX_SAFE_INTEGER
  }
}

function hexValue(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
