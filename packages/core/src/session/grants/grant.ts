/**
 * What one key may do on one API: its access right with policies applied, made ready for the hot path once, when the
 * session is loaded. The names of its counters are whole strings here, so that no request builds one.
 */

import type { VariableSource } from '../../lib/template/variable-text.ts'
import type { QuotaLimit } from '../../ports/quota.ts'
import type { RateLimit } from '../../ports/rate-limit.ts'
import type { CounterPlaces } from '../../ports/store.ts'
import type { McpRights } from '../key-rights.ts'

export interface CountedRate {
  /** Name of the counter. */
  readonly name: string
  readonly limit: RateLimit
}

export interface Grant {
  /** Versions opened; `undefined` where the API is not versioned. */
  readonly versions: ReadonlySet<string> | undefined
  /** Whether `allowed_urls` lets this request pass (7.5); `undefined`: all pass. */
  readonly allowsUrl: ((method: string, path: string, pathWithListenPath: string) => boolean) | undefined
  /** Rate of the key on this API; `undefined`: no limit. */
  readonly rate: CountedRate | undefined
  /** Rate of an endpoint, which then replaces `rate`; `undefined` when the key has no endpoint rates. */
  readonly endpointRate: ((method: string, path: string) => CountedRate | undefined) | undefined
  readonly throttle: { readonly retries: number; readonly intervalMs: number } | undefined
  /** `undefined`: nothing is counted. */
  readonly quota: { readonly name: string; readonly limit: QuotaLimit } | undefined
  /** Of the counters of `rate` and `quota`. */
  readonly places: CounterPlaces
  /** Stands for the names of both. */
  readonly ticket: number
  /** What the headers say where nothing is counted: `quota_max` as written, `quota_renews` as stored (5.1). */
  readonly shownQuotaMax: number
  readonly shownQuotaRenews: number
  /** What the key may do on an MCP proxy; absent: everything. */
  readonly mcp?: McpRights<CountedRate> | undefined
  /**
   * The grant for one request, where the names of its counters hold variables of the request (`rate_limit_pattern`
   * with `$svc_context.`); `undefined`: this one is good for all requests. To be asked by the stage that sets it.
   */
  readonly forRequest?: ((variables: VariableSource) => Grant) | undefined
}
