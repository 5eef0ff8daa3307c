/** What a stored answer said about its own freshness, read once when it was stored (RFC 9111, 4.2). */
import type { Millis } from './clock.ts'

export interface OriginFacts {
  /** When the answer came, by the gateway's clock. */
  readonly receivedAt: Millis
  /** How old it was by then: `corrected_initial_age` of RFC 9111, 4.2.3. */
  readonly initialAgeMs: Millis
  /** How long it is fresh, from its making; 0: never without asking. */
  readonly freshMs: Millis
  /** `no-cache`: not even a fresh answer is given without asking the upstream. */
  readonly alwaysAsk: boolean
  /** `must-revalidate`, `proxy-revalidate` or `s-maxage`: never given once it is stale. */
  readonly neverStale: boolean
  /** How long past its freshness it may be given while another request asks anew (RFC 5861, 3). */
  readonly staleWhileMs: Millis
  /** How long past its freshness it may be given when the upstream fails (RFC 5861, 4). */
  readonly staleOnErrorMs: Millis
  /** Names that `Vary` lists, lower case, each followed by the value the request had; no value: the empty text. */
  readonly selectedBy: readonly string[]
  readonly lastModified: string | undefined
}
