/**
 * The upstream adapter for plain HTTP/1.1: an HTTP client on Node's sockets that needs half the CPU time of a general
 * client (docs/decisions/0009-a-client-of-our-own.md). It has no TLS, proxies or upgrades; `any-upstream.ts` of
 * `@turnpike/adapters` selects undici for those.
 *
 * `connection-pool.ts` manages the connections of an origin, `connection.ts` is one connection, `exchange.ts` is one request, and
 * `response-parser.ts` parses responses. All APIs with the same origin share a pool, also across reloads.
 */
import type { Clock, Upstream, UpstreamError, UpstreamLink, UpstreamRequest, UpstreamResponse } from '@turnpike/core'
import { ConnectionPool } from './connection-pool.ts'
import { Exchange } from './exchange.ts'
import { Deadlines } from './shared/deadlines.ts'

export interface Http1UpstreamOptions {
  /** Clock of the timeouts. */
  readonly clock: Clock
  /** Maximum number of connections per origin; further calls wait. Default: 4096. */
  readonly maxConnections?: number
  /** Idle timeout in milliseconds if the upstream sends none. Default: 4000. */
  readonly keepAliveMs?: number
  /** Milliseconds in which a connection must open. Default: 30,000. The timeout of a call also applies. */
  readonly connectTimeoutMs?: number
  /** Maximum bytes of a response head; a larger head is malformed. Default: 65,536. */
  readonly maxHeadBytes?: number
}

interface Share {
  readonly pool: ConnectionPool
  users: number
}

/** Makes the upstream for `http:` origins. `close` aborts calls in flight. */
export function makeHttp1Upstream(options: Http1UpstreamOptions): Upstream {
  const { maxConnections = 4096, keepAliveMs = 4000, connectTimeoutMs = 30_000, maxHeadBytes = 65_536 } = options
  const limits = { maxConnections, keepAliveMs, connectTimeoutMs, maxHeadBytes }
  const deadlines = new Deadlines(options.clock)
  const shares = new Map<string, Share>()

  function shareOf(origin: string): Share {
    let share = shares.get(origin)
    if (share === undefined) {
      share = { pool: new ConnectionPool(origin, limits, deadlines), users: 0 }
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

// A class, because each API has a link, and with thousands of APIs every additional object causes cache misses.
class PooledLink implements UpstreamLink {
  private readonly pool: ConnectionPool
  private readonly onRelease: () => void
  private released = false

  constructor(pool: ConnectionPool, onRelease: () => void) {
    this.pool = pool
    this.onRelease = onRelease
  }

  send(request: UpstreamRequest): Promise<UpstreamResponse | UpstreamError> {
    return new Promise((resolve) => {
      const exchange = new Exchange(request, this.pool, resolve)
      request.onStart?.(() => exchange.cancel())
      exchange.start()
    })
  }

  // A request from before a reload can still call `send` after `release`, so the pool only stops keeping connections.
  release(): void {
    if (this.released) return
    this.released = true
    this.onRelease()
  }
}
