/**
 * The upstream adapter on undici. A pool of connections for each origin is shared by every API that names it, across
 * reloads too; `origin-pool.ts` holds the connections, `call.ts` is one request's way. What may be sent and how
 * faults are told to clients is decided in core.
 */
import type { Clock, Upstream, UpstreamLink, UpstreamOptions } from '@turnpike/core'
import { systemClock } from '../clock-system/clock-system.ts'
import { Deadlines } from '../upstream-common/deadlines.ts'
import { Call } from './call.ts'
import { type FindPem, pemFromFile } from './certificate-source.ts'
import { OriginPool } from './origin-pool.ts'

export interface UndiciUpstreamOptions {
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
  /** The certificates and keys that definitions name by id or file; by default files only. */
  readonly findPem?: FindPem
}

interface Share {
  readonly pool: OriginPool
  users: number
}

/** Makes the upstream of a gateway process. `close` cuts calls that are still under way. */
export function makeUndiciUpstream(options: UndiciUpstreamOptions = {}): Upstream {
  const { maxConnections = 4096, keepAliveMs = 4000, connectMs = 30_000, maxHeadBytes = 65_536 } = options
  const { findPem = pemFromFile } = options
  const deadlines = new Deadlines(options.clock ?? systemClock)
  const shares = new Map<string, Share>()

  function shareOf(origin: string, way: UpstreamOptions): [string, Share] {
    const name = `${origin} ${JSON.stringify(way)}`
    let share = shares.get(name)
    if (share === undefined) {
      const limits = { maxConnections, keepAliveMs, connectMs, maxHeadBytes, way, findPem }
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
    // A request that came before a reload may still send after it: the pool goes on working, it only keeps nothing.
    release() {
      if (released) return
      released = true
      onRelease()
    },
  }
}
