/** Gets hold of an answer's body for the cache without holding it up on its way to the client. */
import { BufferingStream } from '../../cache/buffering-stream.ts'
import { headerOf } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { StageServices } from '../contract/stage-services.ts'

/**
 * Hands the whole body to `keep`: at once where it is there, else when its last byte has passed; never when it breaks
 * off, is given up or is too long. The answer given back is to be sent in place of the first.
 */
export function keepBody(
  answer: GatewayResponse,
  services: StageServices,
  keep: (body: Uint8Array | undefined) => void,
): GatewayResponse {
  const { body } = answer
  const limit = services.settings.cache.maxBodyBytes
  if (body === undefined) keep(undefined)
  else if (typeof body === 'string') keepWhole(utf8Bytes(body), limit, keep)
  else if (body instanceof Uint8Array) keepWhole(body, limit, keep)
  else if ((answer.bodyLength ?? 0) <= limit && !isEventStream(answer)) {
    answer.body = new BufferingStream(body, {
      limit,
      budget: services.gathering,
      onComplete: (whole) => keepWhole(whole, limit, keep),
    })
  }
  return answer
}

function keepWhole(body: Uint8Array, limit: number, keep: (body: Uint8Array) => void): void {
  if (body.length > limit) return
  // A short body may be a small view of a large buffer, which would stay with it; a Buffer's own slice is a view too.
  keep(body.length * 2 < body.buffer.byteLength ? new Uint8Array(body) : body)
}

/** Never ends by itself; what passed until somebody went away is nothing whole. */
function isEventStream({ headers }: GatewayResponse): boolean {
  return headerOf(headers, 'content-type')?.startsWith('text/event-stream') ?? false
}
