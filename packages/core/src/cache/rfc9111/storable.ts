/** Whether a shared cache may store an answer to GET (RFC 9111, 3). */
import { type HeaderPairs, headerOf, headersOf } from '../../http/headers.ts'
import type { CacheControl } from './cache-control.ts'

/** Statuses that may be kept for a guessed time, and all whose meaning for caches is known here (RFC 9110, 15.1). */
const understood: ReadonlySet<number> = new Set([200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501])

/** Whether a status may be kept without being told for how long. */
export function isHeuristic(status: number): boolean {
  return understood.has(status)
}

/**
 * `personal`: the request said who asks, by `Authorization` or by a key of the gateway, wherever that stood; its answer
 * is for others only where the answer says so (RFC 9111, 3.5).
 */
export function isStorable(status: number, headers: HeaderPairs, control: CacheControl, personal: boolean): boolean {
  // Parts are not put together here, and 304 speaks of an answer, it is none.
  if (status < 200 || status === 206 || status === 304) return false
  if (control.mustUnderstand ? !understood.has(status) : control.noStore) return false
  if (control.isPrivate || variesBeyondReach(headers)) return false
  const shared = control.isPublic || control.sMaxAge !== undefined
  if (personal && !shared && !control.mustRevalidate) return false
  // Not asked for by the RFC; but a cookie is meant for one client, whatever was forgotten beside it.
  if (!shared && headerOf(headers, 'set-cookie') !== undefined) return false
  return shared || control.maxAge !== undefined || headerOf(headers, 'expires') !== undefined || isHeuristic(status)
}

/** By what no request shows: anything at all, or the chain of addresses, which is only made on the way out. */
function variesBeyondReach(headers: HeaderPairs): boolean {
  const names = headersOf(headers, 'vary').join(',').toLowerCase()
  return names.includes('*') || names.includes('x-forwarded-for')
}
