/**
 * Variants of responses in the cache whose rules the definition decides (RFC 9110, 12.5.5): which request headers select
 * among the responses of a URL. A node learns it from the `Vary` of what it stores, so the first request of a URL after a
 * start may miss. The selecting headers are part of the cache key, as those of `cache_by_headers` are.
 * Source: docs/reference/response-cache.md#variants.
 */
import { type HeaderPairs, headerOf, headersOf } from '../http/headers.ts'
import { headerLines, type NamedHeader } from './cache-key.ts'

export interface LearnedVariants {
  /** The lines of the cache key for the headers that select among the responses of the URL; empty if none is known. */
  linesFor(url: string, request: HeaderPairs): string
  /** Whether a stored response is the one that this request selects, with a content coding that the client accepts. */
  fits(url: string, stored: Readonly<HeaderPairs>, request: HeaderPairs): boolean
  /** Learns the headers that a response names. Returns false if it may not be stored, because everything selects it. */
  learn(url: string, response: HeaderPairs): boolean
}

/** `inKey`: names in lower case of headers that the cache key contains already. `capacity`: URLs to remember. */
export function makeLearnedVariants(inKey: ReadonlySet<string>, capacity = 10_000): LearnedVariants {
  const learned = new Map<string, readonly NamedHeader[]>()
  const varyOf = (headers: HeaderPairs) => namesIn(headers).filter((name) => !inKey.has(name))
  return {
    linesFor(url, request) {
      const names = learned.size === 0 ? undefined : learned.get(url)
      return names === undefined ? '' : headerLines(request, names)
    },
    fits(url, stored, request) {
      const coding = headerOf(stored as HeaderPairs, 'content-encoding')
      if (coding !== undefined && !acceptsCoding(request, coding)) return false
      if (headerOf(stored as HeaderPairs, 'vary') === undefined) return true
      const names = learned.get(url) ?? []
      return varyOf(stored as HeaderPairs).every((name) => names.some(({ lower }) => lower === name))
    },
    learn(url, response) {
      const named = varyOf(response)
      if (named.includes('*')) return false
      const known = learned.get(url) ?? []
      const more = named.filter((name) => !known.some(({ lower }) => lower === name))
      if (more.length === 0) return true
      if (learned.size >= capacity) learned.clear()
      learned.set(url, [...known, ...more.map((name) => ({ written: name, lower: name }))])
      return true
    },
  }
}

/** The distinct names in `Vary`, in lower case. */
function namesIn(headers: HeaderPairs): string[] {
  if (headerOf(headers, 'vary') === undefined) return []
  const names = headersOf(headers, 'vary').flatMap((line) => line.split(','))
  return [...new Set(names.map((name) => name.trim().toLowerCase()))].filter((name) => name !== '')
}

/** Without `Accept-Encoding` a client gets no coding, although any is allowed: many such clients decode none. */
function acceptsCoding(request: HeaderPairs, coding: string): boolean {
  const accepted = headersOf(request, 'accept-encoding').flatMap((line) => line.toLowerCase().split(','))
  return coding
    .toLowerCase()
    .split(',')
    .every((one) => accepted.some((range) => isRangeOf(range, one.trim())))
}

function isRangeOf(range: string, coding: string): boolean {
  const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
  if (name !== coding && name !== '*') return coding === 'identity'
  return !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
}
