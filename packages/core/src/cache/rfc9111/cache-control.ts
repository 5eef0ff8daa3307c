/** `Cache-Control` of requests and answers (RFC 9111, 5.2; RFC 5861; RFC 8246 is not followed). */
import { type HeaderPairs, headerOf, headersOf } from '../../http/headers.ts'

/** Directives that a cache acts on. Times in seconds; `undefined`: not there. */
export interface CacheControl {
  readonly noStore: boolean
  /** Also with a list of fields: the whole answer is taken to be meant, which is always allowed. */
  readonly noCache: boolean
  readonly isPrivate: boolean
  readonly isPublic: boolean
  readonly mustRevalidate: boolean
  readonly mustUnderstand: boolean
  readonly onlyIfCached: boolean
  readonly maxAge: number | undefined
  readonly sMaxAge: number | undefined
  readonly minFresh: number | undefined
  /** Infinite where no limit is named. */
  readonly maxStale: number | undefined
  readonly staleWhileRevalidate: number | undefined
  readonly staleIfError: number | undefined
}

const nothing: CacheControl = {
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

/** Longer ones are not read: nobody writes them in good faith, and reading them costs. */
const longest = 4096
/** Times beyond this are this (RFC 9111, 1.2.2). */
const longestSeconds = 2 ** 31

const directive = /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/g

/** Reads the header of an answer. */
export function readCacheControl(headers: HeaderPairs): CacheControl {
  const lines = headersOf(headers, 'cache-control')
  return lines.length === 0 ? nothing : parseCacheControl(lines.join(','))
}

/** Reads the header of a request; `Pragma: no-cache` stands in for it where it is not there (RFC 9111, 5.4). */
export function readRequestControl(headers: HeaderPairs): CacheControl {
  const control = readCacheControl(headers)
  if (control !== nothing) return control
  const pragma = headerOf(headers, 'pragma')
  return pragma?.toLowerCase().includes('no-cache') ? { ...nothing, noCache: true } : nothing
}

/** Reads a header's value. What cannot be understood makes an answer shorter lived, never longer. */
export function parseCacheControl(text: string): CacheControl {
  const read: { -readonly [K in keyof CacheControl]: CacheControl[K] } = { ...nothing }
  if (text.length > longest) return { ...read, noStore: true, noCache: true }
  for (const [, name = '', quoted, plain] of text.matchAll(directive)) {
    const value = quoted ?? plain
    switch (name.toLowerCase()) {
      case 'no-store':
        read.noStore = true
        break
      case 'no-cache':
        read.noCache = true
        break
      case 'private':
        read.isPrivate = true
        break
      case 'public':
        read.isPublic = true
        break
      case 'must-revalidate':
      case 'proxy-revalidate':
        read.mustRevalidate = true
        break
      case 'must-understand':
        read.mustUnderstand = true
        break
      case 'only-if-cached':
        read.onlyIfCached = true
        break
      case 'max-age':
        read.maxAge = lesser(read.maxAge, seconds(value))
        break
      case 's-maxage':
        read.sMaxAge = lesser(read.sMaxAge, seconds(value))
        break
      case 'min-fresh':
        read.minFresh = Math.max(read.minFresh ?? 0, seconds(value))
        break
      case 'max-stale':
        read.maxStale = lesser(read.maxStale, value === undefined ? Number.POSITIVE_INFINITY : seconds(value))
        break
      case 'stale-while-revalidate':
        read.staleWhileRevalidate = lesser(read.staleWhileRevalidate, seconds(value))
        break
      case 'stale-if-error':
        read.staleIfError = lesser(read.staleIfError, seconds(value))
        break
    }
  }
  return read
}

/** Of two that contradict each other the shorter counts (RFC 9111, 4.2.1 leaves it open). */
function lesser(before: number | undefined, now: number): number {
  return before === undefined ? now : Math.min(before, now)
}

/** What is no number of seconds is none at all: 0. */
function seconds(value: string | undefined): number {
  return value !== undefined && /^\d+$/.test(value) ? Math.min(Number(value), longestSeconds) : 0
}
