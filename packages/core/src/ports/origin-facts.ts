/** Freshness of a stored response, parsed once when the response was stored (RFC 9111 section 4.2). */
import type { Millis } from './clock.ts'

export interface OriginFacts {
  /** When the response arrived, by the gateway's clock. */
  readonly receivedAt: Millis
  /** Age at that time: `corrected_initial_age` of RFC 9111 section 4.2.3. */
  readonly initialAgeMs: Millis
  /** `freshness_lifetime`, counted from the generation of the response; 0: always revalidated. */
  readonly freshMs: Millis
  /** `no-cache`: even a fresh response is revalidated with the upstream. */
  readonly alwaysAsk: boolean
  /** `must-revalidate`, `proxy-revalidate` or `s-maxage`: never served stale. */
  readonly neverStale: boolean
  /** How long it may be served stale while a background request revalidates it (RFC 5861 section 3). */
  readonly staleWhileMs: Millis
  /** How long it may be served stale when the upstream fails (RFC 5861 section 4). */
  readonly staleOnErrorMs: Millis
  /** Lower-case names that `Vary` lists, each followed by the value in the request, or by the empty string. */
  readonly selectedBy: readonly string[]
  readonly lastModified: string | undefined
}
