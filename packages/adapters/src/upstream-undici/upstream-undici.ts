/**
 * The upstream adapter on undici. All APIs with the same origin and options share a connection pool, also across reloads.
 * `origin-pool.ts` manages the connections, `call.ts` is one request.
 */
import type { Clock, Upstream, UpstreamLink, UpstreamOptions } from '@turnpike/core'
import { Deadlines } from '@turnpike/upstream-http1/shared'
import { systemClock } from '../clock-system/clock-system.ts'
import { Call } from './call.ts'
import { type FindPem, pemFromFile } from './certificate-source.ts'
import { OriginPool } from './origin-pool.ts'

export interface UndiciUpstreamOptions {
  /** Clock of the timeouts. Default: the system clock. */
  readonly clock?: Clock
  /** Maximum number of connections per origin; further calls wait. Default: 4096. */
  readonly maxConnections?: number
  /** Idle timeout in milliseconds if the upstream sends none. Default: 4000. */
  readonly keepAliveMs?: number
  /** Milliseconds in which a connection must open. Default: 30,000. The timeout of a call also applies. */
  readonly connectTimeoutMs?: number
  /** Maximum bytes of a response head; a larger head is malformed. Default: 65,536. */
  readonly maxHeadBytes?: number
  /** Finds the certificates and keys that definitions name by id or file. Default: files only. */
  readonly findPem?: FindPem
}

interface Share {
  readonly pool: OriginPool
  users: number
}

/** Makes the upstream of a gateway process. `close` aborts calls in flight. */
export function makeUndiciUpstream(options: UndiciUpstreamOptions = {}): Upstream {
  const { maxConnections = 4096, keepAliveMs = 4000, connectTimeoutMs = 30_000, maxHeadBytes = 65_536 } = options
  const { findPem = pemFromFile } = options
  const deadlines = new Deadlines(options.clock ?? systemClock)
  const shares = new Map<string, Share>()

  function shareOf(origin: string, linkOptions: UpstreamOptions): [string, Share] {
    const name = `${origin} ${JSON.stringify(linkOptions)}`
    let share = shares.get(name)
    if (share === undefined) {
      const limits = { maxConnections, keepAliveMs, connectTimeoutMs, maxHeadBytes, linkOptions, findPem }
      share = { pool: new OriginPool(origin, limits, deadlines), users: 0 }
      shares.set(name, share)
    }
    return [name, share]
  }

  return {
    connect(origin, linkOptions) {
      const [name, share] = shareOf(origin, linkOptions)
      share.users++
      return makeLink(share.pool, () => {
        share.users--
        if (share.users > 0) return
        shares.delete(name)
        share.pool.retire()
      })
    },
    forgetCertificate(name) {
      for (const { pool } of shares.values()) if (pool.names(name)) pool.renew()
    },
    async close() {
      const open = [...shares.values()]
      shares.clear()
      await Promise.all(open.map(({ pool }) => pool.destroy()))
    },
  } satisfies Upstream
}

function makeLink(pool: OriginPool, onRelease: () => void): UpstreamLink {
  let released = false
  return {
    send(request) {
      return new Promise((resolve) => {
        const call = new Call(request, pool, resolve)
        request.onStart?.(() => call.cancel())
        if (!call.isOver) pool.run(call)
      })
    },
    // A request from before a reload can still call `send` after `release`, so the pool only stops keeping connections.
    release() {
      if (released) return
      released = true
      onRelease()
    },
  }
}
