/** What the reading side of the cache leaves for the writing side, after a miss. */
import type { HeaderPairs } from '../http/headers.ts'
import type { Millis } from '../ports/clock.ts'
import type { CacheMark } from '../ports/store.ts'
import type { StoredResponse } from '../ports/stored-response.ts'
import type { CacheRule } from './recorded-lifetime.ts'

export type CachePlan =
  /** The definition decides. */
  | { readonly kind: 'recorded'; readonly name: string; readonly mark: CacheMark; readonly rule: CacheRule }
  /** The answer decides (RFC 9111). */
  | RevalidationPlan
  /** An unsafe request: what is stored of its target is void if it succeeds (RFC 9111, 4.4). */
  | { readonly kind: 'rfc9111-unsafe'; readonly name: string }

export interface RevalidationPlan {
  readonly kind: 'rfc9111'
  readonly name: string
  readonly mark: CacheMark
  readonly askedAt: Millis
  /** The variant for this request: stale, or to be confirmed. */
  readonly stale: StoredResponse | undefined
  /** The upstream is asked whether it still holds, so that 304 means this one. */
  readonly confirming: boolean
  /** The answer may be stored: it is one to GET, and the client does not forbid it. */
  readonly storable: boolean
  /** Whose answer it is matters: it is stored only where it says that it may be shared (RFC 9111, 3.5). */
  readonly personal: boolean
  /** Headers of the request as the upstream would have had them without the cache, for `Vary`. */
  readonly selecting: HeaderPairs
}
