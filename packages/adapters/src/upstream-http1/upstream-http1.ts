/**
 * The upstream adapter for plain HTTP/1.1, the usual way of a request: our own client on the sockets of Node, since
 * that costs half of what a general one does (docs/decisions/0009-a-client-of-our-own.md). TLS, proxies and changes of
 * protocol are another adapter's matter; `any-upstream.ts` chooses.
 *
 * `origin-pool.ts` holds the connections, `connection.ts` is one of them, `call.ts` one request's way; `answer-parser.ts`
 * reads what comes back. Pools are shared by every API that names their origin, across reloads too.
 */
import type { Clock, Upstream, UpstreamAnswer, UpstreamFault, UpstreamLink, UpstreamRequest } from '@turnpike/core'
import { systemClock } from '../clock-system/clock-system.ts'
import { Deadlines } from '../upstream-common/deadlines.ts'
import { Call } from './call.ts'
import { makeCallTurn } from './call-host.ts'
import { OriginPool } from './origin-pool.ts'

export interface Http1UpstreamOptions {
  /** Decides timeouts; the system's by default. */
  readonly clock?: Clock
  /** Connections to one origin at once, 4096 by default; calls beyond wait, within their timeout. */
  readonly maxConnections?: number
  /** How long an unused connection is kept when the upstream does not say, in ms; 4 s by default. */
  readonly keepAliveMs?: number
  /** How long a connection may take to come about, in ms; 30 s by default. A call's own timeout counts as well. */
  readonly connectMs?: number
  /** Largest head of an answer, in bytes; 64 KiB by default. A larger one is a broken answer. */
  readonly maxHeadBytes?: number
}

interface Share {
  readonly pool: OriginPool
  users: number
}

/** Makes the upstream for `http:` origins. `close` cuts calls that are still under way. */
export function makeHttp1Upstream(options: Http1UpstreamOptions = {}): Upstream {
  const { maxConnections = 4096, keepAliveMs = 4000, connectMs = 30_000, maxHeadBytes = 65_536 } = options
  const limits = { maxConnections, keepAliveMs, connectMs, maxHeadBytes }
  const deadlines = new Deadlines(options.clock ?? systemClock)
  const turn = makeCallTurn()
  const shares = new Map<string, Share>()

  function shareOf(origin: string): Share {
    let share = shares.get(origin)
    if (share === undefined) {
      share = { pool: new OriginPool(origin, limits, deadlines, turn), users: 0 }
      shares.set(origin, share)
    }
    return share
  }

  return {
    connect(origin) {
      const share = shareOf(origin)
      share.users++
      return new PooledLink(share.pool, () => {
        share.users--
        if (share.users > 0) return
        shares.delete(origin)
        share.pool.retire()
      })
    },
    async close() {
      const open = [...shares.values()]
      shares.clear()
      for (const { pool } of open) pool.destroy()
    },
  } satisfies Upstream
}

// A class: each API has one, and of thousands of APIs every object on a request's way is cold.
class PooledLink implements UpstreamLink {
  private readonly pool: OriginPool
  private readonly onRelease: () => void
  private released = false

  constructor(pool: OriginPool, onRelease: () => void) {
    this.pool = pool
    this.onRelease = onRelease
  }

  send(request: UpstreamRequest): Promise<UpstreamAnswer | UpstreamFault> {
    return new Promise((resolve) => {
      const call = new Call(request, this.pool, resolve)
      request.onStart?.(() => call.cancel())
    })
  }

  // A request that came before a reload may still send after it: the pool goes on working, it only keeps nothing.
  release(): void {
    if (this.released) return
    this.released = true
    this.onRelease()
  }
}
