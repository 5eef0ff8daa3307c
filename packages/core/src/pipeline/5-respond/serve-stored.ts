/** Sends a stored response under RFC 9111: with its age, and as 304 if the client has it already. */
import { isUnmodified } from '../../cache/rfc9111/conditions.ts'
import { ageOf } from '../../cache/rfc9111/freshness.ts'
import type { HeaderPairs } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import type { Millis } from '../../ports/clock.ts'
import type { StoredResponse } from '../../ports/stored-response.ts'
import type { RequestContext } from '../contract/request-context.ts'

/** `marker`: name of the header that marks cached responses. */
export function serveStored(
  context: RequestContext,
  stored: StoredResponse,
  marker: string,
  now: Millis,
): GatewayResponse {
  context.fromCache = true
  context.cachePlan = undefined
  const { request } = context
  const headers: HeaderPairs = stored.headers.slice()
  const ageMs = stored.origin === undefined ? 0 : ageOf(stored.origin, now)
  headers.push('age', String(Math.floor(ageMs / 1000)), marker, '1')
  if (isUnmodified(request.headers, stored, now)) return { status: 304, headers, body: undefined }
  if (request.method !== 'HEAD') return { status: stored.status, headers, body: stored.body }
  return { status: stored.status, headers, body: undefined, bodyLength: stored.body?.length ?? 0 }
}
