/**
 * The upstream adapter for plain HTTP/1.1: an HTTP client on Node's sockets that needs half the CPU time of a general
 * client (docs/decisions/0009-a-client-of-our-own.md). It has no TLS, proxies or upgrades; `any-upstream.ts`
 * selects undici for those.
 *
 * `connection-pool.ts` manages the connections of an origin, `connection.ts` is one connection, `exchange.ts` is one request, and
 * `parser/response-parser.ts` parses responses.
 */
import type { Clock, Upstream } from '@turnpike/core/ports'
import { type PoolLimits, resolveLimits } from '../shared/call-pool.ts'
import { Deadlines } from '../shared/deadlines.ts'
import { SharedPools } from '../shared/shared-pools.ts'
import { ConnectionPool } from './connection-pool.ts'

export interface Http1UpstreamOptions extends PoolLimits {
  /** Clock of the timeouts. */
  readonly clock: Clock
}

/** Makes the upstream for `http:` origins. `close` aborts calls in flight. */
export function makeHttp1Upstream(options: Http1UpstreamOptions): Upstream {
  const limits = resolveLimits(options)
  const deadlines = new Deadlines(options.clock)
  const pools = new SharedPools<ConnectionPool>()
  return {
    connect: (origin) => pools.connect(origin, () => new ConnectionPool(origin, limits, deadlines)),
    close: () => pools.close(),
  } satisfies Upstream
}
