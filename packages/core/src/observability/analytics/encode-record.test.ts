import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { recordWith } from '../../../test/support/analytics/record-with.ts'
import type { AnalyticsRecord } from '../../ports/analytics-record.ts'
import { encodeRecord } from './encode-record.ts'
import { encodeMsgpack, Float } from './msgpack.ts'

interface Vector {
  readonly msgpack_hex: string
  readonly decoded: { readonly Geo: { readonly Location: Readonly<Record<string, number | string>> } }
}

const file = new URL('../../../test/support/analytics/record-vectors.json', import.meta.url)
const vectors = JSON.parse(readFileSync(file, 'utf8')) as readonly [Vector, Vector]
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('records in msgpack', () => {
  it.each(vectors.map((vector, i) => [i, vector] as const))('are byte for byte those of vector %i', (_, vector) => {
    const { Geo } = vector.decoded
    const places = Object.entries(Geo.Location).map(([name, value]) => [
      name,
      typeof value === 'number' ? new Float(value) : value,
    ])
    const wire = { ...vector.decoded, Geo: { ...Geo, Location: Object.fromEntries(places) } }
    expect(hexOf(encodeMsgpack(wire))).toBe(vector.msgpack_hex)
  })

  it('have all fields in the order and form that readers know', () => {
    const record: AnalyticsRecord = recordWith({
      host: 'upstream.example:8080',
      path: '/z',
      rawPath: '/z',
      userAgent: 'ua',
      apiKey: '307085db278ff9b9',
      at: 1_795_256_396_437,
      totalMs: 4,
      upstreamMs: 3,
      ipAddress: '127.0.0.1',
      tags: ['t1', 'key-307085db278ff9b9', 'org-org1', 'api-a1'],
      alias: 'al',
      expireAt: 1_795_256_396_437 + 36_500 * 86_400_000,
    })
    // The clock of the engine has milliseconds; that of the vector had nanoseconds.
    const nanos = (value: number) => `ce${value.toString(16).padStart(8, '0')}`
    const expected = vectors[0].msgpack_hex.replaceAll(nanos(437_655_076), nanos(437_000_000))
    expect(hexOf(encodeRecord(record))).toBe(expected)
  })

  it('write whole numbers in their shortest form, of either sign', () => {
    const cases: readonly (readonly [number, string])[] = [
      [0, '00'],
      [127, '7f'],
      [128, 'cc80'],
      [256, 'cd0100'],
      [65_536, 'ce00010000'],
      [4_294_967_296, 'cf0000000100000000'],
      [-1, 'ff'],
      [-33, 'd0df'],
      [-129, 'd1ff7f'],
      [-32_769, 'd2ffff7fff'],
      [-2_147_483_649, 'd3ffffffff7fffffff'],
    ]
    for (const [value, hex] of cases) expect(hexOf(encodeMsgpack(value)), String(value)).toBe(hex)
  })

  it('write long texts, lists and maps with their width', () => {
    expect(hexOf(encodeMsgpack('x'.repeat(300)).slice(0, 3))).toBe('da012c')
    expect(hexOf(encodeMsgpack('x'.repeat(70_000)).slice(0, 5))).toBe('db00011170')
    expect(hexOf(encodeMsgpack(new Array(20).fill(null)).slice(0, 3))).toBe('dc0014')
    expect(encodeMsgpack('å').length).toBe(3)
  })

  it('write text beyond ASCII at any place, long values, and go on after a value that is none', () => {
    const texts = ['', 'å', 'plain å', '€uro', '😀', '\ud800', `${'x'.repeat(255)}å`, 'y'.repeat(256), 'z'.repeat(5000)]
    for (const text of texts) {
      const bytes = Buffer.from(text)
      expect(hexOf(encodeMsgpack([text, 1])).endsWith(`${bytes.toString('hex')}01`), text).toBe(true)
    }
    const large = encodeMsgpack(['x'.repeat(300_000), 'end'])
    expect(hexOf(large.slice(-4))).toBe('a3656e64')
    expect(() => encodeMsgpack({ a: 'text', b: 0.5 })).toThrow('no whole number')
    expect(hexOf(encodeMsgpack({ a: 1 }))).toBe('81a16101')
  })

  it('have no list where there are no tags', () => {
    expect(hexOf(encodeRecord(recordWith({ tags: [] })))).toContain(`${hexOf(encodeMsgpack('Tags'))}c0`)
  })
})
