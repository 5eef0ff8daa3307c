/**
 * Sends a stored response under RFC 9111: with its age, as 304 if the client has it already, and as 206 for a range.
 * Whether a stored response is sent is decided by its callers: `5-respond/cache-read-rfc9111.ts`, also if the upstream
 * sent no response, and store-rfc9111.ts for a 304 or an error of the upstream.
 */
import { isUnmodified } from '../../cache/rfc9111/conditions.ts'
import { ageOf } from '../../cache/rfc9111/freshness.ts'
import { type ByteRange, requestedRange, type Span, spanOf } from '../../cache/rfc9111/ranges.ts'
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
  if (request.method === 'HEAD') {
    return { status: stored.status, headers, body: undefined, bodyLength: stored.body?.length ?? 0 }
  }
  const range = requestedRange(context.outgoing.headers, stored)
  if (range !== undefined && (stored.status === 200 || stored.part !== undefined)) {
    return serveRange(stored, headers, range)
  }
  return { status: stored.status, headers, body: stored.body }
}

/** Responds with a range that the stored response contains (RFC 9110, 15.3.7), or with 416 if no byte is in the range. */
function serveRange({ body = noBody, part }: StoredResponse, headers: HeaderPairs, range: ByteRange): GatewayResponse {
  const total = part === undefined ? body.length : part.total
  // A part of unknown length only serves ranges with both ends: see `contains`.
  const span = total === undefined ? (range as Span) : spanOf(range, total)
  if (span === undefined) return { status: 416, headers: ['content-range', `bytes */${total}`], body: undefined }
  headers.push('content-range', `bytes ${span.first}-${span.last}/${total ?? '*'}`)
  const offset = part?.first ?? 0
  return { status: 206, headers, body: body.subarray(span.first - offset, span.last + 1 - offset) }
}

const noBody = new Uint8Array(0)
