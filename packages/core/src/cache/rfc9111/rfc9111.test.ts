import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseHttpDate } from '../../lib/text/parse-http-date.ts'
import { formatHttpDate } from '../../lib/text/time.ts'
import { parseCacheControl, parseTargetedControl, readCacheControl } from './cache-control.ts'
import { originFactsOf } from './freshness.ts'
import { selectedBy } from './vary.ts'

const now = Date.UTC(2026, 0, 1)

describe('dates of header fields', () => {
  it('are parsed in the three forms', () => {
    const at = Date.UTC(1994, 10, 6, 8, 49, 37)
    expect(parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT', now)).toBe(at)
    expect(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT', now)).toBe(at)
    expect(parseHttpDate('Sun Nov  6 08:49:37 1994', now)).toBe(at)
  })

  it('may have letters of the wrong case, as caches should accept', () => {
    const at = Date.UTC(1994, 10, 6, 8, 49, 37)
    expect(parseHttpDate('SUN, 06 NOV 1994 08:49:37 gmt', now)).toBe(at)
    expect(parseHttpDate('sunday, 06-nov-94 08:49:37 GMT', now)).toBe(at)
    expect(parseHttpDate('sun nov  6 08:49:37 1994', now)).toBe(at)
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
    for (const invalid of ['-5', '5.0', '5.9', '5s', "'5'", '']) {
      expect(parseCacheControl(`max-age=${invalid}`).maxAge, invalid).toBe(0)
    }
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

describe('a targeted field', () => {
  it('has the directives of Cache-Control with values of their types', () => {
    expect(parseTargetedControl('max-age=60, must-revalidate;x=1, foo="bar", private=?0')).toMatchObject({
      maxAge: 60,
      mustRevalidate: true,
      isPrivate: false,
      isTargeted: true,
    })
    expect(parseTargetedControl('no-cache="a, b"')?.noCache).toBe(true)
    expect(parseTargetedControl('max-age=99999999999')?.maxAge).toBe(2 ** 31)
    expect(parseTargetedControl('max-age=-1')?.maxAge).toBe(0)
    expect(parseTargetedControl('max-age=9, max-age=10')?.maxAge).toBe(10)
  })

  it.each([
    '',
    ' ',
    'max-age',
    'max-age="60"',
    'max-age=60.0',
    'max-age=?1',
    'max-age =60',
    'a, &',
    `a="${'x'.repeat(5000)}"`,
  ])('is ignored: %j', (text) => {
    expect(parseTargetedControl(text)).toBeUndefined()
  })

  it('replaces Cache-Control: the first valid one in the order of the list', () => {
    const headers = ['cache-control', 'max-age=1', 'cdn-cache-control', 'max-age=2', 'x-cache-control', 'max-age=3']
    const maxAgeOf = (more: string[], targets: string[]) => readCacheControl([...more, ...headers], targets).maxAge
    expect(maxAgeOf([], [])).toBe(1)
    expect(maxAgeOf([], ['cdn-cache-control'])).toBe(2)
    expect(maxAgeOf([], ['x-cache-control', 'cdn-cache-control'])).toBe(3)
    expect(maxAgeOf(['x-cache-control', 'Max-Age=5'], ['x-cache-control', 'cdn-cache-control'])).toBe(2)
    expect(maxAgeOf(['x-other', 'max-age=5'], ['x-none'])).toBe(1)
  })
})

describe('Age', () => {
  const ageHeader = (...lines: string[]) =>
    originFactsOf({
      status: 200,
      headers: lines.flatMap((line) => ['age', line]),
      control: parseCacheControl('max-age=60'),
      requestedAt: now,
      receivedAt: now,
      selectedBy: [],
      maxHeuristicMs: 0,
    }).initialAgeMs

  it('is a number of seconds; of several ones the first counts', () => {
    expect(ageHeader('7')).toBe(7000)
    expect(ageHeader(' 7 , 9')).toBe(7000)
    expect(ageHeader('7', '9')).toBe(7000)
    expect(ageHeader('9'.repeat(40))).toBe(2 ** 31 * 1000)
  })

  it.each(['7.0', '7.5', '-7', 'abc', '7 s', '', ', 7'])('is ignored: %j', (text) => {
    expect(ageHeader(text)).toBe(0)
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
