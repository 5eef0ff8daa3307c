/**
 * The upstream adapter for HTTP/2 without TLS by prior knowledge (RFC 9113 section 3.3), for targets with the scheme `h2c`.
 * All APIs with the same origin and options share sessions, also across reloads.
 */
import type { Clock, Upstream, UpstreamLink, UpstreamOptions } from '@turnpike/core'
import { Deadlines } from '@turnpike/upstream-http1/shared'
import { systemClock } from '../clock-system/clock-system.ts'
import { Http2Call } from './http2-call.ts'
import { openSocket } from './open-socket.ts'
import { SessionPool } from './session-pool.ts'

export interface Http2UpstreamOptions {
  /** Clock of the timeouts. Default: the system clock. */
  readonly clock?: Clock
  /** Idle timeout of a session in milliseconds. Default: 60,000. */
  readonly keepAliveMs?: number
  /** Milliseconds in which a connection must open. Default: 30,000. The timeout of a call also applies. */
  readonly connectTimeoutMs?: number
  /** Maximum bytes of the header fields of a response. Default: 65,536. */
  readonly maxHeadBytes?: number
}

interface Share {
  readonly pool: SessionPool
  users: number
}

/** Makes an upstream for `h2c:` origins. `close` aborts calls in flight. */
export function makeHttp2Upstream(options: Http2UpstreamOptions = {}): Upstream {
  const { keepAliveMs = 60_000, connectTimeoutMs = 30_000, maxHeadBytes = 65_536 } = options
  const deadlines = new Deadlines(options.clock ?? systemClock)
  const shares = new Map<string, Share>()

  function makePool(origin: string, linkOptions: UpstreamOptions): SessionPool {
    const authority = origin.slice(origin.indexOf('://') + 3)
    const { hostname, port } = new URL(`http://${authority}`)
    const address = { hostname: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) }
    return new SessionPool({
      scheme: 'http',
      authority,
      openSocket: () => openSocket(address, linkOptions, connectTimeoutMs),
      keepAliveMs,
      connectTimeoutMs,
      maxHeadBytes,
    })
  }

  return {
    connect(origin, linkOptions) {
      const name = `${origin} ${JSON.stringify(linkOptions)}`
      const share = shares.get(name) ?? { pool: makePool(origin, linkOptions), users: 0 }
      shares.set(name, share)
      share.users++
      return makeLink(share.pool, deadlines, () => {
        if (--share.users > 0) return
        shares.delete(name)
        share.pool.retire()
      })
    },
    async close() {
      for (const { pool } of shares.values()) pool.destroy()
      shares.clear()
    },
  } satisfies Upstream
}

function makeLink(pool: SessionPool, deadlines: Deadlines, onRelease: () => void): UpstreamLink {
  let released = false
  return {
    send: (request) => new Promise((resolve) => new Http2Call(request, pool, deadlines, resolve).run()),
    // A request from before a reload can still call `send` after `release`, so the pool only stops keeping sessions.
    release() {
      if (released) return
      released = true
      onRelease()
    },
  }
}
