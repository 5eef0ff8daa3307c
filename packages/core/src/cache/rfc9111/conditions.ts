/** Conditional requests that a cache can evaluate (RFC 9111, 4.3.2; RFC 9110, 13). */

import { entityTagOf, matchesTag } from '../../http/entity-tag.ts'
import { type HeaderPairs, headerOf } from '../../http/headers.ts'
import { parseHttpDate } from '../../lib/text/parse-http-date.ts'
import type { StoredResponse } from '../../ports/stored-response.ts'
import { isStrong } from './ranges.ts'

/** Whether the request has a condition that only the upstream can evaluate. `If-Range` with a date is one of them. */
export function needsUpstream(request: HeaderPairs): boolean {
  for (let i = 0; i < request.length; i += 2) {
    const name = request[i]
    if (name === 'if-match' || name === 'if-unmodified-since') return true
    if (name === 'if-range' && !request[i + 1]?.includes('"')) return true
  }
  return false
}

/** Whether the client already has the stored response, so the cache can respond with 304. */
export function isUnmodified(request: HeaderPairs, stored: StoredResponse, now: number): boolean {
  if (stored.status !== 200 && stored.part === undefined) return false
  const tags = headerOf(request, 'if-none-match')
  if (tags !== undefined) return tags.trim() === '*' || (stored.etag !== undefined && matchesTag(tags, stored.etag))
  const since = headerOf(request, 'if-modified-since')
  const changed = stored.origin?.lastModified
  if (since === undefined || changed === undefined) return false
  const [sinceAt, changedAt] = [parseHttpDate(since, now), parseHttpDate(changed, now)]
  return sinceAt !== undefined && changedAt !== undefined && changedAt <= sinceAt
}

/**
 * Whether a 304 response to a revalidation can refer to the stored response. If it has a strong entity tag, that tag must
 * be the stored one (RFC 9111, 4.3.4).
 */
export function refersTo(stored: StoredResponse, notModified: HeaderPairs): boolean {
  const tag = entityTagOf(notModified)
  return !isStrong(tag) || stored.etag === tag
}

/** Fields that describe the stored body. A 304 response must not replace them. */
const bodyFields: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'content-range'])

/** The headers of a stored response, updated from those of a 304 response (RFC 9111, 3.2). */
export function updatedHeaders(stored: Readonly<HeaderPairs>, notModified: HeaderPairs): HeaderPairs {
  const replaced = new Set<string>()
  for (let i = 0; i < notModified.length; i += 2) replaced.add(notModified[i] as string)
  const headers: HeaderPairs = []
  for (let i = 0; i < stored.length; i += 2) {
    const name = stored[i] as string
    if (!replaced.has(name) || bodyFields.has(name)) headers.push(name, stored[i + 1] as string)
  }
  for (let i = 0; i < notModified.length; i += 2) {
    const name = notModified[i] as string
    if (!bodyFields.has(name)) headers.push(name, notModified[i + 1] as string)
  }
  return headers
}
