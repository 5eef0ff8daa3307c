import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { isForbiddenTrailer, maxTrailerLines, passedTrailerNames, passedTrailers } from './trailers.ts'

const name = fc.oneof(
  fc.stringMatching(/^[!#$%&'*+.^_`|~0-9a-z-]{1,20}$/),
  fc.constantFrom('content-length', 'host', 'authorization', 'x-forwarded-for', ':path', 'grpc-status', 'etag'),
)
const pairs = fc.array(fc.tuple(name, fc.string({ maxLength: 5 })), { maxLength: 10 }).map((lines) => lines.flat())

describe('trailers', () => {
  test.prop([pairs])('are forwarded in order, except the forbidden ones', (given) => {
    const passed = passedTrailers(given) ?? []
    const lines = (flat: string[]) => Array.from({ length: flat.length / 2 }, (_, i) => flat.slice(2 * i, 2 * i + 2))
    expect(lines(passed)).toEqual(lines(given).filter(([one]) => !isForbiddenTrailer(one as string)))
    expect(passedTrailers(passed)).toEqual(passed.length === 0 ? undefined : passed)
  })

  test.prop([fc.array(fc.oneof(name, fc.string({ maxLength: 8 })), { maxLength: 150 })])(
    'are announced by valid names, each once, without the forbidden ones',
    (names) => {
      const announced = passedTrailerNames(['x-a', '1', 'trailer', names.join(',')])?.split(', ') ?? []
      for (const one of announced) expect(one).toMatch(/^[\w!#$%&'*+\-.^`|~]+$/)
      expect(announced.filter(isForbiddenTrailer)).toEqual([])
      expect(new Set(announced).size).toBe(announced.length)
      expect(announced.length).toBeLessThanOrEqual(maxTrailerLines)
    },
  )

  it.each([
    'transfer-encoding',
    'content-length',
    'connection',
    'te',
    'trailer',
    'host',
    'x-forwarded-host',
    'authorization',
    'proxy-authorization',
    'cookie',
    'set-cookie',
    'cache-control',
    'if-match',
    'location',
    'content-type',
    'content-encoding',
    ':status',
  ])('%s is never forwarded', (forbidden) => {
    expect(passedTrailers([forbidden, '1'])).toBeUndefined()
    expect(passedTrailerNames(['trailer', forbidden.toUpperCase()])).toBeUndefined()
  })

  it.each(['grpc-status', 'grpc-message', 'etag', 'content-digest', 'server-timing', 'x-checksum'])(
    '%s is forwarded',
    (allowed) => {
      expect(passedTrailers([allowed, '1'])).toEqual([allowed, '1'])
      expect(passedTrailerNames(['trailer', allowed])).toBe(allowed)
    },
  )
})
