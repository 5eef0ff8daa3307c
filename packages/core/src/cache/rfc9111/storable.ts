/** Whether a shared cache may store a response to GET (RFC 9111, 3). */
import { type HeaderPairs, headerOf, headersOf } from '../../http/headers.ts'
import type { CacheControl } from './cache-control.ts'

/** Statuses that are heuristically cacheable (RFC 9110, 15.1). These are also the ones that this cache understands. */
const understood: ReadonlySet<number> = new Set([200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501])

/** Whether a response with this status may have a heuristic freshness lifetime. */
export function isHeuristic(status: number): boolean {
  return understood.has(status)
}

/**
 * Whether the response may be stored. `authenticated`: the client identified itself, by `Authorization` or by a key of
 * the gateway anywhere in the request; then the response must allow sharing (RFC 9111, 3.5).
 */
export function isStorable(
  status: number,
  headers: HeaderPairs,
  control: CacheControl,
  authenticated: boolean,
): boolean {
  // This cache does not combine partial responses, and a 304 response only updates a stored one.
  if (status < 200 || status === 206 || status === 304) return false
  if (control.mustUnderstand ? !understood.has(status) : control.noStore) return false
  if (control.isPrivate || variesUnpredictably(headers)) return false
  const shared = control.isPublic || control.sMaxAge !== undefined
  if (authenticated && !shared && !control.mustRevalidate) return false
  // RFC 9111 does not require this, but a cookie is for one client, even if its server forgot `private`.
  if (!shared && headerOf(headers, 'set-cookie') !== undefined) return false
  return shared || control.maxAge !== undefined || headerOf(headers, 'expires') !== undefined || isHeuristic(status)
}

/** Whether `Vary` names `*`, or X-Forwarded-For, whose value is unknown until the request is sent. */
function variesUnpredictably(headers: HeaderPairs): boolean {
  const names = headersOf(headers, 'vary').join(',').toLowerCase()
  return names.includes('*') || names.includes('x-forwarded-for')
}
