/**
 * Plain values in MessagePack, as existing readers of records take them: whole numbers in their shortest form, text
 * as str, lists and objects as array and map, nothing as nil. What must be a float is wrapped in `Float`.
 * (https://github.com/msgpack/msgpack/blob/master/spec.md)
 */
import { utf8Bytes } from '../../lib/text/utf8.ts'

/** A number that is written as a 64-bit float, also where it is whole. */
export class Float {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** Throws on values that are none of the above: that is a mistake of the caller. */
export function encodeMsgpack(value: unknown): Uint8Array {
  writer.begin()
  writer.value(value)
  return writer.bytes()
}

/** Texts up to here are written unit by unit, which is faster than an encoder when they are ASCII. */
const shortText = 256
/** A buffer that grew beyond this, for a detailed record, is not kept. */
const keptBytes = 64 * 1024

// One for all: values are written in one go, and new room for each would cost more than what is written.
class Writer {
  private buffer = new Uint8Array(4096)
  private view = new DataView(this.buffer.buffer)
  private length = 0

  begin(): void {
    this.length = 0
    if (this.buffer.length > keptBytes) this.take(new Uint8Array(4096))
  }

  bytes(): Uint8Array {
    return this.buffer.slice(0, this.length)
  }

  value(value: unknown): void {
    if (typeof value === 'string') this.text(value)
    else if (typeof value === 'number') this.integer(value)
    else if (typeof value === 'boolean') this.byte(value ? 0xc3 : 0xc2)
    else if (value === null || value === undefined) this.byte(0xc0)
    else if (value instanceof Float) this.float(value.value)
    else if (Array.isArray(value)) {
      this.head(value.length, 0x90, 0xdc)
      for (const entry of value) this.value(entry)
    } else if (typeof value === 'object') {
      const names = Object.keys(value)
      this.head(names.length, 0x80, 0xde)
      for (const name of names) {
        this.text(name)
        this.value((value as Readonly<Record<string, unknown>>)[name])
      }
    } else throw new Error(`no MessagePack for a ${typeof value}`)
  }

  /** Of arrays and maps: up to 15 entries in the first byte, else a width is told. */
  private head(length: number, fix: number, wide: number): void {
    if (length < 16) this.byte(fix | length)
    else if (length < 0x10000) this.two(wide, length)
    else this.four(wide + 1, length)
  }

  private text(text: string): void {
    const start = this.length
    if (text.length <= shortText && this.ascii(text)) return
    this.length = start
    const bytes = utf8Bytes(text)
    this.textHead(bytes.length)
    this.reserve(bytes.length)
    this.buffer.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Whether it was ASCII alone; if not, what was written is nothing. */
  private ascii(text: string): boolean {
    const { length } = text
    this.textHead(length)
    this.reserve(length)
    const { buffer } = this
    let at = this.length
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i)
      if (unit >= 0x80) return false
      buffer[at++] = unit
    }
    this.length = at
    return true
  }

  private textHead(length: number): void {
    if (length < 32) this.byte(0xa0 | length)
    else if (length < 0x100) this.one(0xd9, length)
    else if (length < 0x10000) this.two(0xda, length)
    else this.four(0xdb, length)
  }

  private integer(value: number): void {
    if (!Number.isSafeInteger(value)) throw new Error(`${value} is no whole number`)
    if (value >= 0) this.unsigned(value)
    else if (value >= -32) this.byte(value & 0xff)
    else if (value >= -0x80) this.one(0xd0, value)
    else if (value >= -0x8000) this.two(0xd1, value)
    else if (value >= -0x80000000) this.four(0xd2, value)
    else this.eight(0xd3, value)
  }

  private unsigned(value: number): void {
    if (value < 0x80) this.byte(value)
    else if (value < 0x100) this.one(0xcc, value)
    else if (value < 0x10000) this.two(0xcd, value)
    else if (value < 0x100000000) this.four(0xce, value)
    else this.eight(0xcf, value)
  }

  private float(value: number): void {
    this.tag(0xcb, 8)
    this.view.setFloat64(this.length, value)
    this.length += 8
  }

  private byte(value: number): void {
    this.reserve(1)
    this.buffer[this.length++] = value
  }

  // Of either sign: negative numbers are cut to their complement.

  private one(tag: number, value: number): void {
    this.tag(tag, 1)
    this.buffer[this.length++] = value
  }

  private two(tag: number, value: number): void {
    this.tag(tag, 2)
    this.view.setUint16(this.length, value)
    this.length += 2
  }

  private four(tag: number, value: number): void {
    this.tag(tag, 4)
    this.view.setUint32(this.length, value)
    this.length += 4
  }

  private eight(tag: number, value: number): void {
    this.tag(tag, 8)
    this.view.setBigInt64(this.length, BigInt(value))
    this.length += 8
  }

  /** Writes a tag and makes room for what follows it. */
  private tag(tag: number, width: number): void {
    this.reserve(1 + width)
    this.buffer[this.length++] = tag
  }

  private reserve(more: number): void {
    if (this.length + more <= this.buffer.length) return
    const grown = new Uint8Array(Math.max(this.buffer.length * 2, this.length + more))
    grown.set(this.buffer)
    this.take(grown)
  }

  private take(buffer: Uint8Array<ArrayBuffer>): void {
    this.buffer = buffer
    this.view = new DataView(buffer.buffer)
  }
}

const writer = new Writer()
