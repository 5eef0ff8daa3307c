/**
 * The upstream adapter on undici. All APIs with the same origin and options share a connection pool, also across reloads.
 * `origin-pool.ts` manages the connections, `undici-call.ts` is one request.
 */
import type { Clock, Upstream } from '@turnpike/core/ports'
import { type PoolLimits, resolveLimits } from '../shared/call-pool.ts'
import { Deadlines } from '../shared/deadlines.ts'
import { SharedPools } from '../shared/shared-pools.ts'
import { type FindPem, pemFromFile, usesKey } from './certificate-source.ts'
import { OriginPool } from './origin-pool.ts'

export interface UndiciUpstreamOptions extends PoolLimits {
  /** Clock of the timeouts. */
  readonly clock: Clock
  /** Finds the certificates and keys that definitions name by id or file. Default: files only. */
  readonly findPem?: FindPem
}

/** Makes the upstream of a gateway process. `close` aborts calls in flight. */
export function makeUndiciUpstream(options: UndiciUpstreamOptions): Upstream {
  const { clock, findPem = pemFromFile } = options
  const limits = resolveLimits(options)
  const deadlines = new Deadlines(clock)
  const pools = new SharedPools<OriginPool>()
  return {
    connect(origin, linkOptions) {
      const name = `${origin} ${JSON.stringify(linkOptions)}`
      return pools.connect(name, () => new OriginPool(origin, linkOptions, limits, findPem, deadlines))
    },
    forgetCertificate(name) {
      for (const pool of pools.list()) if (usesKey(pool.linkOptions, name)) pool.renew()
    },
    close: () => pools.close(),
  } satisfies Upstream
}
