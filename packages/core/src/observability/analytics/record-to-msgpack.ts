/**
 * Encodes a record as msgpack: one element of the list in Redis that other programs read. Source:
 * docs/reference/analytics.md#analytics-storage.
 */
import { Encoder } from '@msgpack/msgpack'
import { joinChunks } from '../../http/byte-stream.ts'
import type { Millis } from '../../lib/text/time.ts'
import type { AnalyticsRecord } from '../../ports/analytics-record.ts'
import { toWireRecord, type UtcOffset } from './record-to-json.ts'

const encoder = new Encoder()
type Entries = readonly (readonly [name: string, value: unknown])[]

/** The bytes of one record. */
export function encodeRecord(record: AnalyticsRecord, utcOffset?: UtcOffset): Uint8Array {
  const wire = toWireRecord(record, secondsAndNanos, utcOffset)
  // Existing writers send nil instead of an empty list.
  if (record.tags.length === 0) wire['Tags'] = null
  const entries = Object.entries(wire)
  const at = entries.findIndex(([name]) => name === 'Geo')
  return join([mapHead(entries.length), members(entries.slice(0, at)), nowhere, members(entries.slice(at + 1))])
}

// Coordinates must be floats, even 0: readers reject a record with another type. An encoder writes either integers or
// floats for all whole numbers, so this member has its own encoder.
const floats = new Encoder({ forceIntegerToFloat: true })
const nowhere = join([
  encoder.encode('Geo'),
  mapHead(3),
  members([
    ['Country', { ISOCode: '' }],
    ['City', { GeoNameID: 0, Names: null }],
  ]),
  encoder.encode('Location'),
  floats.encode({ Latitude: 0, Longitude: 0, TimeZone: '' }),
])

/** Members of a map without its head. */
function members(entries: Entries): Uint8Array {
  const map = Object.fromEntries(entries.map(([name, value]) => [name, wellFormed(value)]))
  return encoder.encode(map).subarray(mapHead(entries.length).length)
}

/** The encoder would write a lone surrogate, which JSON from a client can contain, as invalid UTF-8. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(wellFormed)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, wellFormed(member)]))
}

/** What precedes the members of a map of fewer than 65,536 entries. */
function mapHead(size: number): Uint8Array {
  return Uint8Array.from(size < 16 ? [0x80 | size] : [0xde, size >> 8, size & 0xff])
}

function join(parts: Uint8Array[]): Uint8Array {
  return joinChunks(
    parts,
    parts.reduce((size, part) => size + part.length, 0),
  )
}

function secondsAndNanos(at: Millis): [number, number] {
  const seconds = Math.floor(at / 1000)
  return [seconds, Math.round((at - seconds * 1000) * 1e6)]
}
