/** A record as one element of the list in Redis that other programs read. Source: spec/redis-layout.md 10. */

import type { AnalyticsRecord } from '../../ports/analytics-record.ts'
import type { Millis } from '../../ports/clock.ts'
import { encodeMsgpack, Float } from './msgpack.ts'
import { toWireRecord, type UtcOffset } from './wire-record.ts'

// Places are floats even where there is none: readers refuse a record with another type.
const nowhere = {
  Country: { ISOCode: '' },
  City: { GeoNameID: 0, Names: null },
  Location: { Latitude: new Float(0), Longitude: new Float(0), TimeZone: '' },
}

/** The bytes of one record. */
export function encodeRecord(record: AnalyticsRecord, utcOffset?: UtcOffset): Uint8Array {
  const wire = toWireRecord(record, secondsAndNanos, utcOffset)
  wire['Geo'] = nowhere
  // Readers take no list for an empty one; writers have always sent nil.
  if (record.tags.length === 0) wire['Tags'] = null
  return encodeMsgpack(wire)
}

function secondsAndNanos(at: Millis): [number, number] {
  const seconds = Math.floor(at / 1000)
  return [seconds, Math.round((at - seconds * 1000) * 1e6)]
}
