/**
 * Plain values in MessagePack, as existing readers of records take them: whole numbers in their shortest form, text
 * as str, lists and objects as array and map, nothing as nil. What must be a float is wrapped in `Float`.
 * (https://github.com/msgpack/msgpack/blob/master/spec.md)
 */
import { utf8Bytes } from '../text/text-codec.ts'

/** A number that is written as a 64-bit float, also where it is whole. */
export class Float {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** Throws on values that are none of the above: that is a mistake of the caller. */
export function encodeMsgpack(value: unknown): Uint8Array {
  const writer = new Writer()
  writer.value(value)
  return writer.bytes()
}

class Writer {
  private buffer = new Uint8Array(1024)
  private view = new DataView(this.buffer.buffer)
  private length = 0

  bytes(): Uint8Array {
    return this.buffer.slice(0, this.length)
  }

  value(value: unknown): void {
    if (value === null || value === undefined) this.byte(0xc0)
    else if (typeof value === 'boolean') this.byte(value ? 0xc3 : 0xc2)
    else if (typeof value === 'string') this.text(value)
    else if (typeof value === 'number') this.integer(value)
    else if (value instanceof Float) this.float(value.value)
    else if (Array.isArray(value)) {
      this.head(value.length, 0x90, 0xdc)
      for (const entry of value) this.value(entry)
    } else if (typeof value === 'object') {
      const entries = Object.entries(value)
      this.head(entries.length, 0x80, 0xde)
      for (const [name, entry] of entries) {
        this.text(name)
        this.value(entry)
      }
    } else throw new Error(`no MessagePack for a ${typeof value}`)
  }

  /** Of arrays and maps: up to 15 entries in the first byte, else a width is told. */
  private head(length: number, fix: number, wide: number): void {
    if (length < 16) this.byte(fix | length)
    else if (length < 0x10000) this.sized(wide, 2, (at) => this.view.setUint16(at, length))
    else this.sized(wide + 1, 4, (at) => this.view.setUint32(at, length))
  }

  private text(text: string): void {
    const bytes = utf8Bytes(text)
    const { length } = bytes
    if (length < 32) this.byte(0xa0 | length)
    else if (length < 0x100) this.sized(0xd9, 1, (at) => this.view.setUint8(at, length))
    else if (length < 0x10000) this.sized(0xda, 2, (at) => this.view.setUint16(at, length))
    else this.sized(0xdb, 4, (at) => this.view.setUint32(at, length))
    this.reserve(length)
    this.buffer.set(bytes, this.length)
    this.length += length
  }

  private integer(value: number): void {
    if (!Number.isSafeInteger(value)) throw new Error(`${value} is no whole number`)
    if (value >= 0) this.unsigned(value)
    else if (value >= -32) this.byte(value & 0xff)
    else if (value >= -0x80) this.sized(0xd0, 1, (at) => this.view.setInt8(at, value))
    else if (value >= -0x8000) this.sized(0xd1, 2, (at) => this.view.setInt16(at, value))
    else if (value >= -0x80000000) this.sized(0xd2, 4, (at) => this.view.setInt32(at, value))
    else this.sized(0xd3, 8, (at) => this.view.setBigInt64(at, BigInt(value)))
  }

  private unsigned(value: number): void {
    if (value < 0x80) this.byte(value)
    else if (value < 0x100) this.sized(0xcc, 1, (at) => this.view.setUint8(at, value))
    else if (value < 0x10000) this.sized(0xcd, 2, (at) => this.view.setUint16(at, value))
    else if (value < 0x100000000) this.sized(0xce, 4, (at) => this.view.setUint32(at, value))
    else this.sized(0xcf, 8, (at) => this.view.setBigUint64(at, BigInt(value)))
  }

  private float(value: number): void {
    this.sized(0xcb, 8, (at) => this.view.setFloat64(at, value))
  }

  private byte(value: number): void {
    this.reserve(1)
    this.buffer[this.length++] = value
  }

  private sized(tag: number, width: number, write: (at: number) => void): void {
    this.byte(tag)
    this.reserve(width)
    write(this.length)
    this.length += width
  }

  private reserve(more: number): void {
    if (this.length + more <= this.buffer.length) return
    const grown = new Uint8Array(Math.max(this.buffer.length * 2, this.length + more))
    grown.set(this.buffer)
    this.buffer = grown
    this.view = new DataView(grown.buffer)
  }
}
