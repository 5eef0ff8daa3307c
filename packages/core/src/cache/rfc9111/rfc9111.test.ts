import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseHttpDate } from '../../lib/text/parse-http-date.ts'
import { formatHttpDate } from '../../lib/text/time.ts'
import { parseCacheControl } from './cache-control.ts'
import { selectedBy } from './vary.ts'

const now = Date.UTC(2026, 0, 1)

describe('dates of header fields', () => {
  it('are parsed in the three forms', () => {
    const at = Date.UTC(1994, 10, 6, 8, 49, 37)
    expect(parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT', now)).toBe(at)
    expect(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT', now)).toBe(at)
    expect(parseHttpDate('Sun Nov  6 08:49:37 1994', now)).toBe(at)
  })

  it('are parsed as they are formatted, for every second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800 }), (second) => {
        expect(parseHttpDate(formatHttpDate(second * 1000), now)).toBe(second * 1000)
      }),
    )
  })

  it.each(['', '0', '-1', 'tomorrow', 'Sun, 06 Nov 1994 08:49:37', 'Sun, 99 Nov 1994 08:49:37 GMT'])(
    'are invalid: %j',
    (text) => {
      expect(parseHttpDate(text, now)).toBeUndefined()
    },
  )
})

describe('Cache-Control', () => {
  it('is parsed in any case, with quotes, blanks and unknown directives', () => {
    const control = parseCacheControl('Public , MAX-AGE = "60",x="a, no-store",, s-maxage=5;q')
    expect(control).toMatchObject({ isPublic: true, maxAge: 60, sMaxAge: 5, noStore: false })
  })

  it('limits times, and the smaller of two counts', () => {
    expect(parseCacheControl(`max-age=${'9'.repeat(40)}`).maxAge).toBe(2 ** 31)
    expect(parseCacheControl('max-age=9, max-age=7').maxAge).toBe(7)
    expect(parseCacheControl('max-age=-5').maxAge).toBe(0)
    expect(parseCacheControl('max-stale').maxStale).toBe(Number.POSITIVE_INFINITY)
  })

  it('neither throws nor hangs on any text', () => {
    fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => void parseCacheControl(text)))
    const started = performance.now()
    parseCacheControl('a="\\"'.repeat(800))
    expect(parseCacheControl('x'.repeat(5000)).noStore).toBe(true)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

describe('Vary', () => {
  it('lists each name once, with the values of the request joined', () => {
    const response = ['vary', 'Accept, X-A', 'vary', ' accept ,x-b']
    expect(selectedBy(response, ['accept', 'a', 'x-a', ' 1 ', 'accept', 'b'])).toEqual([
      'accept',
      'a, b',
      'x-a',
      '1',
      'x-b',
      '',
    ])
  })

  it('does not mistake a value for a name', () => {
    expect(selectedBy(['vary', 'x-a, x-b'], ['x-a', 'x-b'])).toEqual(['x-a', 'x-b', 'x-b', ''])
  })
})
