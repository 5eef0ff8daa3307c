import type { StoredResponse } from '@turnpike/core/ports'
import { describe, expect, it } from 'vitest'
import { parseRevalidated, printRevalidated } from './revalidated-text.ts'

const whole: StoredResponse = {
  status: 200,
  headers: ['etag', '"a"'],
  body: new Uint8Array([1, 2]),
  bodyLength: undefined,
  etag: '"a"',
}
const part: StoredResponse = { ...whole, status: 206, part: { first: 3, total: 9 } }

describe('the text of responses in cache_mode rfc9111', () => {
  it.each([
    ['a complete response', whole],
    ['a part', part],
    ['a part of unknown length', { ...part, part: { first: 3, total: undefined } }],
    ['several variants', { ...whole, next: { ...part, next: whole } }],
  ] as const)('keeps %s', (_, response) => {
    expect(parseRevalidated(printRevalidated(response))).toEqual(response)
  })

  it('is a list, which all nodes can read, unless it has a part', () => {
    expect(JSON.parse(printRevalidated(whole))).toHaveLength(1)
    for (const response of [part, { ...whole, next: part }]) {
      expect(JSON.parse(printRevalidated(response))).toMatchObject({ format: 2 })
    }
  })

  it('is parsed as an earlier version wrote it', () => {
    const written = '[{"status":200,"headers":["etag","\\"a\\""],"body":"AQI=","etag":"\\"a\\""}]'
    expect(parseRevalidated(written)).toEqual(whole)
  })

  it.each([
    '',
    'null',
    '{}',
    '{"format":3,"variants":[]}',
    '{"format":2}',
    '{"format":2,"variants":[{"status":206,"headers":[],"part":{}}]}',
    '[{"status":206,"headers":[],"part":null}]',
  ])('is invalid: %s', (text) => {
    expect(parseRevalidated(text)).toBeUndefined()
  })
})
