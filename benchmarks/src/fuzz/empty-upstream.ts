import { collect } from '@turnpike/core/http'
import type { Upstream, UpstreamRequest } from '@turnpike/core/ports'

/** Every call succeeds at once, so that no name is looked up and nothing is sent. */
export const emptyUpstream: Upstream = upstreamOf(async ({ body }) => {
  if (body !== undefined && !(body instanceof Uint8Array)) body.cancel()
})

/** Like `emptyUpstream`. `record` gets each request with its complete body. */
export function recordingUpstream(record: (request: UpstreamRequest, body: Uint8Array) => void): Upstream {
  return upstreamOf(async (request) => {
    const { body = new Uint8Array() } = request
    record(request, body instanceof Uint8Array ? body : await collect(body))
  })
}

function upstreamOf(receive: (request: UpstreamRequest) => Promise<void>): Upstream {
  return {
    connect: () => ({
      async send(request) {
        await receive(request)
        return { kind: 'response', status: 200, headers: [], body: undefined, bodyLength: 0 }
      },
      release: () => undefined,
    }),
    close: async () => undefined,
  }
}
