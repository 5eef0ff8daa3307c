/**
 * An upstream in the same process that returns a small response, at once or after a delay, so that only the cost of
 * the gateway is measured.
 */
import type { Upstream, UpstreamResponse } from '@turnpike/core/ports'

export interface BenchUpstream extends Upstream {
  /** Delay of later responses in milliseconds; 0 means no delay. */
  takes(ms: number): void
  /** Resolves after the time of one response, to measure how late the timer is. */
  wait(): Promise<unknown>
}

const body = new TextEncoder().encode('{"ok":true,"message":"a small answer"}')

/** `onSend` is called for each request before the response is sent. */
export function makeBenchUpstream(onSend: () => void = () => undefined): BenchUpstream {
  let delayMs = 0
  const response = (): UpstreamResponse => ({
    kind: 'response',
    status: 200,
    headers: ['content-type', 'application/json', 'content-length', String(body.length)],
    body,
    bodyLength: body.length,
  })
  const respond = (): Promise<UpstreamResponse> => {
    if (delayMs === 0) return Promise.resolve(response())
    return new Promise((resolve) => setTimeout(() => resolve(response()), delayMs))
  }
  return {
    takes(ms) {
      delayMs = ms
    },
    wait: respond,
    connect: () => ({
      send() {
        onSend()
        return respond()
      },
      release() {},
    }),
    close: () => Promise.resolve(),
  }
}
