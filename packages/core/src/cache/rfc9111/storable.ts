/**
 * Whether a shared cache may store a response to GET (RFC 9111, 3), in the mode `rfc9111`; the other mode uses
 * `cache/configured-lifetime.ts`. A 206 must also state its range: see `partial-responses.ts`. What the request demands
 * is decided in `5-respond/cache-read-rfc9111.ts`; a body that is too long or incomplete is left out in
 * `pipeline/cache/write-cache.ts`.
 */
import { type HeaderPairs, headerOf, headersOf } from '../../http/headers.ts'
import type { CacheControl } from './cache-control.ts'

/** Statuses that are heuristically cacheable (RFC 9110, 15.1). These are also the ones that this cache understands. */
const understood: ReadonlySet<number> = new Set([200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501])

/** Whether a response with this status may have a heuristic freshness lifetime. */
export function isHeuristicallyCacheable(status: number): boolean {
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
  // A 304 only updates a stored response; 412 and 416 depend on conditions or ranges of one request.
  if (status < 200 || status === 304 || status === 412 || status === 416) return false
  if (control.mustUnderstand ? !understood.has(status) : control.noStore) return false
  if (control.isPrivate || variesUnpredictably(headers)) return false
  const shared = control.isPublic || control.sMaxAge !== undefined
  if (authenticated && !shared && !control.mustRevalidate) return false
  // RFC 9111 does not require this, but a cookie is for one client, also if its server says `public`.
  if (headerOf(headers, 'set-cookie') !== undefined) return false
  const expires = !control.isTargeted && headerOf(headers, 'expires') !== undefined
  return shared || control.maxAge !== undefined || expires || isHeuristicallyCacheable(status)
}

/** Whether `Vary` names `*`, or X-Forwarded-For, whose value is unknown until the request is sent. */
function variesUnpredictably(headers: HeaderPairs): boolean {
  const names = headersOf(headers, 'vary').join(',').toLowerCase()
  return names.includes('*') || names.includes('x-forwarded-for')
}
