/** An upstream on virtual time that counts what it does and keeps nothing. */
import { utf8Bytes } from '@turnpike/core/lib'
import type { Clock, Upstream, UpstreamError, UpstreamResponse } from '@turnpike/core/ports'

export interface VirtualUpstream extends Upstream {
  /** Requests by path, since the last call. */
  takeCounts(): ReadonlyMap<string, number>
  /** Requests without a result so far. */
  underWay(): number
  openLinks(): number
  /** A process that crashes closes its connections. */
  forgetLinks(): void
}

const body = utf8Bytes('{"ok":true}')

/** Paths that contain `slow` respond after two seconds, others after 5 ms; paths with `broken` fail. */
export function makeVirtualUpstream(clock: Clock): VirtualUpstream {
  let counts = new Map<string, number>()
  let underWay = 0
  let links = 0
  let life = 0
  const failed = (reason: UpstreamError['reason']): UpstreamError => ({ kind: 'error', reason, cause: undefined })
  return {
    connect() {
      links += 1
      const ofLife = life
      let isReleased = false
      return {
        send: ({ path, onStart, timeoutMs }) =>
          new Promise((resolve) => {
            counts.set(path, (counts.get(path) ?? 0) + 1)
            underWay += 1
            const cancels: (() => void)[] = []
            const settle = (result: UpstreamResponse | UpstreamError) => {
              for (const cancel of cancels.splice(0)) cancel()
              underWay -= 1
              resolve(result)
            }
            const ready: UpstreamResponse | UpstreamError = path.includes('broken')
              ? failed('broken')
              : {
                  kind: 'response',
                  status: 200,
                  headers: ['content-type', 'application/json', 'content-length', String(body.length)],
                  body,
                  bodyLength: body.length,
                }
            cancels.push(clock.after(path.includes('slow') ? 2_000 : 5, () => settle(ready)))
            if (timeoutMs > 0) cancels.push(clock.after(timeoutMs, () => settle(failed('timeout'))))
            onStart?.(() => {
              if (cancels.length > 0) settle(failed('cancelled'))
            })
          }),
        release() {
          if (!isReleased && ofLife === life) links -= 1
          isReleased = true
        },
      }
    },
    close: () => Promise.resolve(),
    takeCounts() {
      const taken = counts
      counts = new Map()
      return taken
    },
    underWay: () => underWay,
    openLinks: () => links,
    forgetLinks() {
      life += 1
      links = 0
    },
  }
}
