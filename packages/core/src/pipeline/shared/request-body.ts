/**
 * The whole body of a request, for stages that need it: read from the client once, kept in `context.outgoing.body`,
 * from where it also goes to the upstream. Requests that no stage asks this of stream through.
 */
import { BodyTooLarge, collect } from '../../http/byte-stream.ts'
import { type Rejection, rejections } from '../../http/errors.ts'
import { isPromise, type Maybe } from '../../lib/maybe.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { StageServices } from '../contract/stage-services.ts'

/** Most bytes held of one body where the gateway sets no limit of its own: 50 MB. */
export const defaultBodyLimit = 50 * 1024 * 1024

const noBody = new Uint8Array(0)

/** The limit on bodies of requests that are held whole. */
export function maxBufferedRequestBytes({ settings }: Pick<StageServices, 'settings'>): number {
  return settings.maxBodyBytes > 0 ? settings.maxBodyBytes : defaultBodyLimit
}

/** The same for answers, whose length has nothing to do with what clients may send. */
export function maxBufferedResponseBytes({ settings }: Pick<StageServices, 'settings'>): number {
  const limit = settings.maxResponseBytes ?? 0
  return limit > 0 ? limit : defaultBodyLimit
}

/**
 * The body as the upstream would get it now, empty when there is none; without a promise where it is already there.
 * Refuses what is longer than the limit, and what breaks off because the client went away.
 */
export function readRequestBody(
  context: RequestContext,
  services: Pick<StageServices, 'settings'>,
): Maybe<Uint8Array | Rejection> {
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

/** Runs a step on the body, or hands the refusal on. */
export function withRequestBody<T>(
  context: RequestContext,
  services: Pick<StageServices, 'settings'>,
  step: (body: Uint8Array) => Maybe<T>,
): Maybe<T | Rejection> {
  const read = readRequestBody(context, services)
  if (!isPromise(read)) return read instanceof Uint8Array ? step(read) : read
  return read.then((body) => (body instanceof Uint8Array ? step(body) : body))
}
