/** An upstream in the same process that gives one small answer, at once or after a while: what is left is the gateway. */
import type { Upstream, UpstreamResponse } from '@turnpike/core'

export interface BenchUpstream extends Upstream {
  /** Milliseconds that an answer takes from now on; 0: at once. */
  takes(ms: number): void
}

const body = new TextEncoder().encode('{"ok":true,"message":"a small answer"}')

/** `onSend` hears of each call before it is answered. */
export function makeBenchUpstream(onSend: () => void = () => undefined): BenchUpstream {
  let delayMs = 0
  const answer = (): UpstreamResponse => ({
    kind: 'answer',
    status: 200,
    headers: ['content-type', 'application/json', 'content-length', String(body.length)],
    body,
    bodyLength: body.length,
  })
  return {
    takes(ms) {
      delayMs = ms
    },
    connect: () => ({
      send() {
        onSend()
        if (delayMs === 0) return Promise.resolve(answer())
        return new Promise((resolve) => setTimeout(() => resolve(answer()), delayMs))
      },
      release() {},
    }),
    close: () => Promise.resolve(),
  }
}
