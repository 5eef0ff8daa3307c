/** `Cache-Control` of requests and responses (RFC 9111, 5.2; RFC 5861). */
import { type HeaderPairs, headerOf, headersOf } from '../../http/headers.ts'

/** Directives that a cache obeys. Times are in seconds; `undefined`: the directive is missing. */
export interface CacheControl {
  readonly noStore: boolean
  /** Also true for `no-cache` with a list of fields, which RFC 9111, 5.2.2.4 allows. */
  readonly noCache: boolean
  readonly isPrivate: boolean
  readonly isPublic: boolean
  readonly mustRevalidate: boolean
  readonly mustUnderstand: boolean
  readonly onlyIfCached: boolean
  readonly maxAge: number | undefined
  readonly sMaxAge: number | undefined
  readonly minFresh: number | undefined
  /** Infinite if the directive has no value. */
  readonly maxStale: number | undefined
  readonly staleWhileRevalidate: number | undefined
  readonly staleIfError: number | undefined
}

const noDirectives: CacheControl = {
  noStore: false,
  noCache: false,
  isPrivate: false,
  isPublic: false,
  mustRevalidate: false,
  mustUnderstand: false,
  onlyIfCached: false,
  maxAge: undefined,
  sMaxAge: undefined,
  minFresh: undefined,
  maxStale: undefined,
  staleWhileRevalidate: undefined,
  staleIfError: undefined,
}

/** Longer header values are not parsed: no legitimate value is this long, and parsing takes time. */
const maxLength = 4096
/** Longer times count as this one (RFC 9111, 1.2.2). */
const maxSeconds = 2 ** 31

const directive = /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/g

/** Parses the header of a response. */
export function readCacheControl(headers: HeaderPairs): CacheControl {
  const lines = headersOf(headers, 'cache-control')
  return lines.length === 0 ? noDirectives : parseCacheControl(lines.join(','))
}

/** Parses the header of a request. Without one, `Pragma: no-cache` counts (RFC 9111, 5.4). */
export function readRequestControl(headers: HeaderPairs): CacheControl {
  const control = readCacheControl(headers)
  if (control !== noDirectives) return control
  const pragma = headerOf(headers, 'pragma')
  return pragma?.toLowerCase().includes('no-cache') ? { ...noDirectives, noCache: true } : noDirectives
}

/** Parses a header value. Invalid directives only ever shorten the life of a response. */
export function parseCacheControl(text: string): CacheControl {
  const parsed: { -readonly [K in keyof CacheControl]: CacheControl[K] } = { ...noDirectives }
  if (text.length > maxLength) return { ...parsed, noStore: true, noCache: true }
  for (const [, name = '', quoted, plain] of text.matchAll(directive)) {
    const value = quoted ?? plain
    switch (name.toLowerCase()) {
      case 'no-store':
        parsed.noStore = true
        break
      case 'no-cache':
        parsed.noCache = true
        break
      case 'private':
        parsed.isPrivate = true
        break
      case 'public':
        parsed.isPublic = true
        break
      case 'must-revalidate':
      case 'proxy-revalidate':
        parsed.mustRevalidate = true
        break
      case 'must-understand':
        parsed.mustUnderstand = true
        break
      case 'only-if-cached':
        parsed.onlyIfCached = true
        break
      case 'max-age':
        parsed.maxAge = smaller(parsed.maxAge, seconds(value))
        break
      case 's-maxage':
        parsed.sMaxAge = smaller(parsed.sMaxAge, seconds(value))
        break
      case 'min-fresh':
        parsed.minFresh = Math.max(parsed.minFresh ?? 0, seconds(value))
        break
      case 'max-stale':
        parsed.maxStale = smaller(parsed.maxStale, value === undefined ? Number.POSITIVE_INFINITY : seconds(value))
        break
      case 'stale-while-revalidate':
        parsed.staleWhileRevalidate = smaller(parsed.staleWhileRevalidate, seconds(value))
        break
      case 'stale-if-error':
        parsed.staleIfError = smaller(parsed.staleIfError, seconds(value))
        break
    }
  }
  return parsed
}

/** If a directive is repeated, its smallest value counts: the most restrictive one (RFC 9111, 4.2.1). */
function smaller(before: number | undefined, now: number): number {
  return before === undefined ? now : Math.min(before, now)
}

/** An invalid number of seconds counts as 0. */
function seconds(value: string | undefined): number {
  return value !== undefined && /^\d+$/.test(value) ? Math.min(Number(value), maxSeconds) : 0
}
