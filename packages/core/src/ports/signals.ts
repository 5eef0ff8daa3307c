/**
 * A message between the nodes of a cluster. Delivery is at most once and unordered. A subscriber must become consistent
 * without the signal after a bounded time, and must tolerate duplicates.
 */
export type Signal =
  /** Every node reloads its definitions and policies. */
  | { readonly kind: 'reload' }
  /** This node was disconnected and may have missed signals. Adapters create it; it is never published. */
  | { readonly kind: 'gap' }
  /** The session stored under this name was written or removed: evict it from caches. */
  | { readonly kind: 'key-changed'; readonly storedName: string }
  /** The organisation's session was written or removed. */
  | { readonly kind: 'org-changed'; readonly orgId: string }
  /** Every cached response of the API is invalid. */
  | { readonly kind: 'cache-invalidated'; readonly apiId: string }
  /** The key sets that were fetched for the API are invalid. */
  | { readonly kind: 'key-sets-changed'; readonly apiId: string }
  /** Requests the removal of expired tokens from the lists of their clients. */
  | { readonly kind: 'purge-expired-tokens' }
  /** A certificate was added or removed: evict it from caches. */
  | { readonly kind: 'certificate-changed'; readonly id: string }

/** Publish and subscribe between the nodes of a group. */
export interface Signals {
  /** Resolves when the signal was sent; rejects when it could not be sent. */
  publish(signal: Signal): Promise<void>
  /** Subscribes to all signals, including those of this node. Returns the unsubscribe function. */
  subscribe(listener: (signal: Signal) => void): () => void
}
