/** Captures bodies of responses for the cache, and writes to the cache, without delaying a response. */
import { BufferingStream } from '../../cache/buffering-stream.ts'
import type { Miss } from '../../cache/collapsed-misses.ts'
import { headerOf } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { isPromise, type Maybe } from '../../lib/maybe.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { StageServices } from '../contract/stage-services.ts'

/**
 * Passes the whole body to `keep`: at once if it is in memory, otherwise after its last byte. If the body is incomplete,
 * cancelled or too long, `discard` is called instead, as soon as that is known. Returns the response to send.
 */
export function keepBody(
  response: GatewayResponse,
  services: StageServices,
  keep: (body: Uint8Array | undefined) => void,
  discard: () => void = () => {},
): GatewayResponse {
  const { body } = response
  const limit = services.settings.cache.maxBodyBytes
  if (body === undefined) keep(undefined)
  else if (typeof body === 'string') keepWhole(utf8Bytes(body), limit, keep, discard)
  else if (body instanceof Uint8Array) keepWhole(body, limit, keep, discard)
  else if ((response.bodyLength ?? 0) <= limit && !isEventStream(response)) {
    response.body = new BufferingStream(body, {
      limit,
      budget: services.gathering,
      onComplete: (whole) => keepWhole(whole, limit, keep, discard),
      onDiscard: discard,
    })
  } else discard()
  return response
}

function keepWhole(body: Uint8Array, limit: number, keep: (body: Uint8Array) => void, discard: () => void): void {
  if (body.length > limit) {
    discard()
    return
  }
  // A short body may be a view of a large buffer and would keep that buffer in memory, so it is copied.
  keep(body.length * 2 < body.buffer.byteLength ? new Uint8Array(body) : body)
}

/** An event stream normally never ends, so its body would never be complete. */
function isEventStream({ headers }: GatewayResponse): boolean {
  return headerOf(headers, 'content-type')?.startsWith('text/event-stream') ?? false
}

/** Writes to the cache, logs errors, and ends the miss. */
export function quietly(
  { log }: Pick<StageServices, 'log'>,
  apiId: string,
  write: () => Maybe<void>,
  miss?: Miss | undefined,
): void {
  const failed = (cause: unknown) => {
    log.warn('the cache could not be written', { api: apiId, cause: String(cause) })
    miss?.end('failed')
  }
  try {
    const done = write()
    if (isPromise(done)) done.then(() => miss?.end('stored')).catch(failed)
    else miss?.end('stored')
  } catch (cause) {
    failed(cause)
  }
}
