/** Conditions of requests, as far as a cache may judge them (RFC 9111, 4.3.2; RFC 9110, 13). */

import { namesTag } from '../../http/entity-tag.ts'
import { type HeaderPairs, headerOf } from '../../http/headers.ts'
import { parseHttpDate } from '../../lib/text/parse-http-date.ts'
import type { StoredResponse } from '../../ports/stored-response.ts'

/** Whether only the upstream can answer: a part is asked for on a condition, or a change must not have happened. */
export function isForUpstream(request: HeaderPairs): boolean {
  for (let i = 0; i < request.length; i += 2) {
    const name = request[i]
    if (name === 'if-match' || name === 'if-unmodified-since' || name === 'if-range') return true
  }
  return false
}

/** Whether the client has the stored answer already, so that 304 is enough. */
export function hasAlready(request: HeaderPairs, stored: StoredResponse, now: number): boolean {
  if (stored.status !== 200) return false
  const tags = headerOf(request, 'if-none-match')
  if (tags !== undefined) return tags.trim() === '*' || (stored.etag !== undefined && namesTag(tags, stored.etag))
  const since = headerOf(request, 'if-modified-since')
  const changed = stored.origin?.lastModified
  if (since === undefined || changed === undefined) return false
  const [sinceAt, changedAt] = [parseHttpDate(since, now), parseHttpDate(changed, now)]
  return sinceAt !== undefined && changedAt !== undefined && changedAt <= sinceAt
}

/** Fields of a 304 that say how its body would be framed or packed, which the stored body is not. */
const ofTheBody: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'content-range', 'age'])

/** Headers of a stored answer after the upstream confirmed it with these (RFC 9111, 3.2). */
export function freshened(stored: Readonly<HeaderPairs>, confirmation: HeaderPairs): HeaderPairs {
  const renewed = new Set<string>()
  for (let i = 0; i < confirmation.length; i += 2) renewed.add(confirmation[i] as string)
  const headers: HeaderPairs = []
  for (let i = 0; i < stored.length; i += 2) {
    const name = stored[i] as string
    if (!renewed.has(name) || ofTheBody.has(name)) headers.push(name, stored[i + 1] as string)
  }
  for (let i = 0; i < confirmation.length; i += 2) {
    const name = confirmation[i] as string
    if (!ofTheBody.has(name)) headers.push(name, confirmation[i + 1] as string)
  }
  return headers
}
