/** `Cache-Control` of requests and responses (RFC 9111, 5.2; RFC 5861), and its targeted forms (RFC 9213). */
import { type HeaderPairs, headerOf, headersOf } from '../../http/headers.ts'
import { parseDictionary } from '../../lib/text/structured-dictionary.ts'

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
  /** The directives come from a targeted field, so `Expires` does not count (RFC 9213 section 2.2). */
  readonly isTargeted: boolean
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
  isTargeted: false,
}

/** Longer header values are not parsed: no legitimate value is this long, and parsing takes time. */
const maxLength = 4096
/** Longer times count as this one (RFC 9111, 1.2.2). */
export const maxSeconds = 2 ** 31

const directive = /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/g

/**
 * The directives of a response for this cache. `targets`: names of targeted fields in lower case, the preferred one first.
 * The first valid one replaces `Cache-Control` (RFC 9213 section 2.2).
 */
export function readCacheControl(headers: HeaderPairs, targets: readonly string[] = []): CacheControl {
  for (const target of targets) {
    const targeted = headersOf(headers, target)
    const control = targeted.length === 0 ? undefined : parseTargetedControl(targeted.join(','))
    if (control !== undefined) return control
  }
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
  const parsed = { ...noDirectives }
  if (text.length > maxLength) return { ...parsed, noStore: true, noCache: true }
  for (const [, name = '', quoted, plain] of text.matchAll(directive)) {
    addDirective(parsed, name.toLowerCase(), quoted ?? plain)
  }
  return parsed
}

/**
 * Parses a targeted field such as `CDN-Cache-Control` (RFC 9213 section 2.1). Returns `undefined` if it is empty or not a
 * dictionary of directives with values of their types: a cache must ignore such a field.
 */
export function parseTargetedControl(text: string): CacheControl | undefined {
  const members = text.length > maxLength ? undefined : parseDictionary(text)
  if (members === undefined || members.size === 0) return undefined
  const parsed = { ...noDirectives, isTargeted: true }
  for (const [name, value] of members) {
    if (timed.has(name) && typeof value !== 'number') return undefined
    if (value !== false) addDirective(parsed, name, value === true ? undefined : String(value))
  }
  return parsed
}

const timed: ReadonlySet<string> = new Set(['max-age', 's-maxage', 'stale-while-revalidate', 'stale-if-error'])

type Directives = { -readonly [K in keyof CacheControl]: CacheControl[K] }

function addDirective(parsed: Directives, name: string, value: string | undefined): void {
  switch (name) {
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

/** If a directive is repeated, its smallest value counts: the most restrictive one (RFC 9111, 4.2.1). */
function smaller(before: number | undefined, now: number): number {
  return before === undefined ? now : Math.min(before, now)
}

/** An invalid number of seconds counts as 0. */
function seconds(value: string | undefined): number {
  return value !== undefined && /^\d+$/.test(value) ? Math.min(Number(value), maxSeconds) : 0
}
