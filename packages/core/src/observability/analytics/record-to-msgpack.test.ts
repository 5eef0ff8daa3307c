import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { recordWith } from '../../../test/support/analytics/record-with.ts'
import type { AnalyticsRecord } from '../../ports/analytics-record.ts'
import { encodeRecord } from './record-to-msgpack.ts'

interface Vector {
  readonly msgpack_hex: string
}

const file = new URL('../../../test/support/analytics/record-vectors.json', import.meta.url)
const vectors = JSON.parse(readFileSync(file, 'utf8')) as readonly [Vector, Vector]
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** The MessagePack form of a text: str 8, 16 or 32 from 32 bytes on. */
function textHex(text: string): string {
  const bytes = Buffer.from(text)
  const width = bytes.length < 32 ? 0 : bytes.length < 256 ? 2 : bytes.length < 65_536 ? 4 : 8
  const head = width === 0 ? (0xa0 + bytes.length).toString(16) : { 2: 'd9', 4: 'da', 8: 'db' }[width]
  return `${head}${width === 0 ? '' : bytes.length.toString(16).padStart(width, '0')}${bytes.toString('hex')}`
}

describe('records in msgpack', () => {
  it('have all fields in the compatible order and form', () => {
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
    // The engine's clock has milliseconds; the recorded vector has nanoseconds.
    const nanos = (value: number) => `ce${value.toString(16).padStart(8, '0')}`
    const expected = vectors[0].msgpack_hex.replaceAll(nanos(437_655_076), nanos(437_000_000))
    expect(hexOf(encodeRecord(record))).toBe(expected)
  })

  it('encode integers in their shortest form', () => {
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
    const name = textHex('ContentLength')
    for (const [contentLength, hex] of cases) {
      expect(hexOf(encodeRecord(recordWith({ contentLength }))), String(contentLength)).toContain(`${name}${hex}a9`)
    }
  })

  it('encode non-ASCII texts, long texts and lists with their length', () => {
    const texts = [
      '',
      'å',
      'plain å',
      '€uro',
      '😀',
      '\ud800',
      `${'x'.repeat(255)}å`,
      'y'.repeat(256),
      'z'.repeat(70_000),
    ]
    for (const text of texts) {
      expect(hexOf(encodeRecord(recordWith({ userAgent: text }))), text.slice(0, 9)).toContain(
        `${textHex('UserAgent')}${textHex(text)}`,
      )
    }
    const tags = new Array<string>(20).fill('t')
    expect(hexOf(encodeRecord(recordWith({ tags })))).toContain(`${textHex('Tags')}dc0014${'a174'.repeat(20)}`)
  })

  it('have no list if there are no tags', () => {
    expect(hexOf(encodeRecord(recordWith({ tags: [] })))).toContain(`${textHex('Tags')}c0`)
  })
})
