import { describe, expect, it } from 'vitest'
import { contains, parseRange, requestedRange, spanOf } from './ranges.ts'

describe('Range', () => {
  it.each([
    ['bytes=0-4', 10, { first: 0, last: 4 }],
    ['Bytes=5-', 10, { first: 5, last: 9 }],
    ['bytes=8-20', 10, { first: 8, last: 9 }],
    ['bytes=-3', 10, { first: 7, last: 9 }],
    ['bytes=-30', 10, { first: 0, last: 9 }],
    ['bytes=10-', 10, undefined],
    ['bytes=-0', 10, undefined],
    ['bytes=-1', 0, undefined],
  ] as const)('%s of %i bytes selects %j', (text, total, span) => {
    expect(spanOf(parseRange(text) as never, total)).toEqual(span)
  })

  it.each([
    'bytes=0-1,3-4',
    'items=0-4',
    'bytes=5-4',
    'bytes=-',
    'bytes=a-b',
    'bytes 0-4',
    `bytes=0-${'9'.repeat(16)}`,
  ])('is not served from the cache: %s', (text) => {
    expect(parseRange(text)).toBeUndefined()
  })

  it('counts with If-Range only if the tag is the stored one, and strong', () => {
    const select = (condition: string, etag: string) =>
      requestedRange(['range', 'bytes=0-1', 'if-range', condition], { etag })
    expect(select('"a"', '"a"')).toEqual({ first: 0, last: 1 })
    expect(select('"b"', '"a"')).toBeUndefined()
    expect(select('W/"a"', 'W/"a"')).toBeUndefined()
  })

  it('is in a stored part if all its bytes are', () => {
    const part = (total: number | undefined) =>
      ({ body: new Uint8Array(5), part: { first: 3, total } }) as unknown as Parameters<typeof contains>[0]
    const isIn = (text: string, total: number | undefined) => contains(part(total), parseRange(text))
    for (const text of ['bytes=3-7', 'bytes=4-5']) expect([isIn(text, 20), isIn(text, undefined)]).toEqual([true, true])
    for (const text of ['bytes=2-4', 'bytes=7-8', 'bytes=4-']) {
      expect([isIn(text, 20), isIn(text, undefined)], text).toEqual([false, false])
    }
    expect([isIn('bytes=-2', 8), isIn('bytes=-2', 9), isIn('bytes=-2', undefined)]).toEqual([true, false, false])
    expect([isIn('bytes=4-', 8), isIn('bytes=8-', 8)]).toEqual([true, false])
    expect(contains(part(20), undefined)).toBe(false)
  })
})
