/**
 * Reads the whole body of a response, for stages that need it, and rejects a longer one. A body that no stage reads passes
 * without this limit.
 */
import { BodyTooLarge, collect } from '../../http/byte-stream.ts'
import { removeHeader } from '../../http/headers.ts'
import type { GatewayResponse, GatewayResponseBody } from '../../http/messages.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { LogFields } from '../../ports/log.ts'
import type { CompileContext } from '../contract/stage.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { defaultBodyLimit } from './request-body.ts'

/** Maximum size of a response body that is buffered whole, in bytes. It is independent of the limit on requests. */
export function maxBufferedResponseBytes({ settings }: Pick<StageServices, 'settings'>): number {
  const limit = settings.maxReadResponseBytes ?? defaultBodyLimit
  const secondLimit = settings.maxResponseBytes ?? 0
  return secondLimit > 0 ? Math.min(secondLimit, limit) : limit
}

/** What an operator can do about a response that is longer. */
export const responseLimitFix = 'raise max_read_response_size, and max_response_body_size if it is set'

/** The body has more values or levels than a stage may parse. */
export class BodyTooComplex extends Error {}

/** Rejects with `BodyTooLarge` over the limit in bytes, and with the error of a stream that fails. */
export async function bytesOfBody(body: GatewayResponseBody, limit: number): Promise<Uint8Array> {
  const bytes = typeof body === 'string' ? utf8Bytes(body) : (body ?? new Uint8Array(0))
  if (!(bytes instanceof Uint8Array)) return collect(bytes, limit)
  if (bytes.length > limit) throw new BodyTooLarge(limit)
  return bytes
}

/** Replaces the body. The front end computes Content-Length, so that of the upstream is removed. */
export function withBody(response: GatewayResponse, body: GatewayResponseBody): GatewayResponse {
  removeHeader(response.headers, 'content-length')
  response.body = body
  response.bodyLength = undefined
  return response
}

/** Logs why a body cannot be read: incomplete, invalid, too long or too complex. Returns the rejection of the request. */
export function rejectUnreadable(
  { services, api }: CompileContext,
  message: string,
  cause: unknown,
  fields: LogFields = {},
): Rejection {
  const isTooLong = cause instanceof BodyTooLarge
  const fix = isTooLong ? { fix: responseLimitFix } : {}
  services.log.warn(message, { api: api.id, ...fields, reason: String(cause), ...fix })
  return isTooLong || cause instanceof BodyTooComplex ? rejections.responseTooLarge : rejections.upstreamBroken
}
