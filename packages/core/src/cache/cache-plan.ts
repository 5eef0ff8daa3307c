/** What the cache read stage passes to the cache write stage after a miss. */
import type { HeaderPairs } from '../http/headers.ts'
import type { Millis } from '../ports/clock.ts'
import type { CacheVersion } from '../ports/store.ts'
import type { StoredResponse } from '../ports/stored-response.ts'
import type { Miss } from './collapsed-misses.ts'
import type { CacheRule } from './configured-lifetime.ts'
import type { CacheControl } from './rfc9111/cache-control.ts'

export type CachePlan =
  /** The definition decides what is stored. */
  | ConfiguredPlan
  /** The response decides what is stored (RFC 9111). */
  | RevalidationPlan
  /** An unsafe request. If it succeeds, it invalidates the stored response of its target (RFC 9111, 4.4). */
  | { readonly kind: 'rfc9111-unsafe'; readonly name: string }

export interface ConfiguredPlan {
  readonly kind: 'configured'
  /** The cache key of a response with these headers; `undefined`: it may not be stored. */
  nameFor(response: HeaderPairs): string | undefined
  /** Called with the headers of the upstream, because later stages can remove `Vary`. */
  noteUpstream(headers: HeaderPairs): void
  readonly version: CacheVersion
  readonly rule: CacheRule
  /** Requests that wait for the response; `undefined`: none does. */
  readonly miss: Miss | undefined
}

export interface RevalidationPlan {
  readonly kind: 'rfc9111'
  readonly name: string
  readonly version: CacheVersion
  /** Directives of the request. */
  readonly control: CacheControl
  /** When the gateway sent the request to the upstream. */
  readonly requestedAt: Millis
  /** The stored response that this request selects, if it may not be served without revalidation. */
  readonly stale: StoredResponse | undefined
  /** The request to the upstream carries a validator of `stale`, so a 304 response refers to it. */
  readonly revalidating: boolean
  /** The response may be stored: the method is GET, and the client does not forbid it. */
  readonly storable: boolean
  /** The client authenticated itself, so the response is stored only if it allows sharing (RFC 9111, 3.5). */
  readonly authenticated: boolean
  /** Requests that wait for the response; `undefined`: none does. */
  readonly miss: Miss | undefined
  /** Headers that the upstream would have received without the cache; `Vary` selects by them. */
  readonly selectingHeaders: HeaderPairs
}
