/** Reads whole bodies of proxy requests, for endpoints below a listen path. `calls/read-body.ts` reads those of management calls. */
import { BodyTooLarge, collect, type GatewayRequest, type Rejection, rejections } from '@turnpike/core/http'
import type { Maybe } from '@turnpike/core/lib'

export const emptyBody = new Uint8Array(0)

/**
 * Returns the body, empty if there is none. `limit` is its maximum length in bytes. For a longer body it returns
 * `tooLarge()`, and if the client disconnects, the rejection `client-gone`.
 */
export function readRequestBody<R>(
  request: GatewayRequest,
  limit: number,
  tooLarge: () => R,
): Maybe<Uint8Array | R | Rejection> {
  if (request.body === undefined) return emptyBody
  if ((request.bodyLength ?? 0) > limit) return tooLarge()
  return collect(request.body, limit).catch((cause: unknown) =>
    cause instanceof BodyTooLarge ? tooLarge() : rejections.clientGone,
  )
}
