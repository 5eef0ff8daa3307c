/**
 * Reads the whole body of a request, for stages that need it. It is read once and kept in `context.outgoing.body`, from
 * where it is also sent to the upstream. If no stage reads it, the body streams through.
 */
import { BodyTooLarge, collect } from '../../http/byte-stream.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { StageServices } from '../contract/stage-services.ts'

/** Limit of a buffered body in bytes if the gateway configures none: 1 MiB. Stages parse such a body at once. */
export const defaultBodyLimit = 1024 * 1024

const noBody = new Uint8Array(0)

/** The settings that limit request bodies. */
export interface BodyLimits {
  readonly settings: Pick<StageServices['settings'], 'maxBodyBytes' | 'maxReadBodyBytes'>
}

/** Maximum size of a request body that is buffered whole, in bytes. */
export function maxBufferedRequestBytes({ settings }: BodyLimits): number {
  const limit = settings.maxReadBodyBytes ?? defaultBodyLimit
  return settings.maxBodyBytes > 0 ? Math.min(settings.maxBodyBytes, limit) : limit
}

/**
 * Returns the current body for the upstream, empty if there is none; synchronously if it is already read. Returns a
 * rejection if the body exceeds the limit or the client disconnects.
 */
export function readRequestBody(context: RequestContext, services: BodyLimits): Maybe<Uint8Array | Rejection> {
  const { outgoing, request } = context
  if (outgoing.body !== undefined) return outgoing.body
  if (outgoing.stream === undefined) return noBody
  const limit = maxBufferedRequestBytes(services)
  if ((request.bodyLength ?? 0) > limit) return rejections.bodyTooLarge
  return collect(outgoing.stream, limit).then(
    (body) => {
      outgoing.body = body
      return body
    },
    (cause: unknown) => (cause instanceof BodyTooLarge ? rejections.bodyTooLarge : rejections.clientGone),
  )
}

/** Runs a step on the body, or returns the rejection. */
export function withRequestBody<T>(
  context: RequestContext,
  services: BodyLimits,
  step: (body: Uint8Array) => Maybe<T>,
): Maybe<T | Rejection> {
  return when(readRequestBody(context, services), (body) => (body instanceof Uint8Array ? step(body) : body))
}
