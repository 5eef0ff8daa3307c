import { describe, expect, it } from 'vitest'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { StoredPart, StoredResponse } from '../../ports/stored-response.ts'
import { combine, partOf } from './partial-responses.ts'

const whole = '0123456789'

function stored(first: number, end: number, more: Partial<StoredResponse> = {}): StoredResponse {
  const part: StoredPart | undefined = end - first === whole.length ? undefined : { first, total: whole.length }
  const body = utf8Bytes(whole.slice(first, end))
  return {
    status: part === undefined ? 200 : 206,
    headers: ['etag', '"a"', 'x-n', '1'],
    body,
    part,
    bodyLength: undefined,
    etag: '"a"',
    ...more,
  }
}

function added(
  first: number,
  end: number,
  { etag = '"a"', total = whole.length }: { etag?: string; total?: number } = {},
) {
  const headers = ['etag', etag, 'x-n', '2', 'content-range', `bytes ${first}-${end - 1}/${total}`]
  return { headers, body: utf8Bytes(whole.slice(first, end)), part: { first, total } }
}

describe('a part of a representation', () => {
  it.each([
    ['bytes 0-4/10', 5, { first: 0, total: 10 }],
    ['bytes 5-9/*', 5, { first: 5, total: undefined }],
    ['bytes 0-4/10', 4, undefined],
    ['bytes 5-9/9', 5, undefined],
    ['bytes */10', 5, undefined],
    ['items 0-4/10', 5, undefined],
    ['bytes 4-0/10', 5, undefined],
  ])('with Content-Range %s and %i bytes is %j', (range, length, part) => {
    expect(partOf(['content-range', range], length)).toEqual(part)
  })

  it('without Content-Range, as in a response of several parts, is not stored', () => {
    expect(partOf(['content-type', 'multipart/byteranges'], 5)).toBeUndefined()
  })

  it.each([
    [[0, 5], [5, 10], '0123456789', undefined],
    [[5, 10], [0, 5], '0123456789', undefined],
    [[2, 5], [4, 8], '234567', { first: 2, total: 10 }],
    [[4, 8], [2, 5], '234567', { first: 2, total: 10 }],
    [[0, 10], [3, 5], '0123456789', undefined],
    [[3, 5], [0, 10], '0123456789', undefined],
  ] as const)('%j is combined with %j', (one, other, text, part) => {
    const combined = combine(stored(one[0], one[1]), added(other[0], other[1]), 100)
    expect([utf8Text(combined?.body as Uint8Array), combined?.part]).toEqual([text, part])
    expect(combined?.headers).toEqual(['etag', '"a"', 'x-n', '2'])
  })

  it('completes one of unknown length once the length is known', () => {
    const unknown = stored(0, 5, { part: { first: 0, total: undefined } })
    const next = { ...added(5, 8), part: { first: 5, total: undefined } }
    expect(combine(unknown, next, 100)?.part).toEqual({ first: 0, total: undefined })
    expect(combine(unknown, added(5, 10), 100)?.part).toBeUndefined()
  })

  it.each([
    ['another tag', stored(0, 5), added(5, 10, { etag: '"b"' })],
    ['weak tags', stored(0, 5, { etag: 'W/"a"' }), added(5, 10, { etag: 'W/"a"' })],
    ['no tag', stored(0, 5, { etag: undefined }), { ...added(5, 10), headers: [] }],
    ['another length', stored(0, 5), added(5, 10, { total: 11 })],
    ['a gap', stored(0, 4), added(5, 10)],
    ['a gap on the other side', stored(6, 10), added(0, 5)],
    ['a complete response with another status', stored(0, 10, { status: 404 }), added(5, 10)],
    ['nothing', undefined, added(5, 10)],
  ])('is not combined with %s', (_, one, other) => {
    expect(combine(one, other, 100)).toBeUndefined()
  })

  it('is not combined to a longer body than the limit', () => {
    expect(combine(stored(0, 5), added(5, 10), 9)).toBeUndefined()
    expect(combine(stored(0, 5), added(5, 10), 10)).toBeDefined()
  })
})
