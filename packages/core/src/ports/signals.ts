/**
 * What nodes tell each other. Delivery is at most once and in no certain order: whoever acts on a signal must be
 * right without it after a stated time, and must bear it twice.
 */
export type Signal =
  /** Every node reads its definitions and policies anew. */
  | { readonly kind: 'reload' }
  /** This node heard nothing for a while: what others told meanwhile is lost to it. Made by adapters; not published. */
  | { readonly kind: 'gap' }
  /** The session stored under this name was written or removed: forget what is cached of it. */
  | { readonly kind: 'key-changed'; readonly storedName: string }
  /** The organisation's session was written or removed. */
  | { readonly kind: 'org-changed'; readonly orgId: string }
  /** Every cached response of the API is void. */
  | { readonly kind: 'cache-invalidated'; readonly apiId: string }
  /** The key sets that were fetched for the API are void. */
  | { readonly kind: 'key-sets-changed'; readonly apiId: string }
  /** Somebody asks for lapsed tokens to be taken off the lists of their clients. */
  | { readonly kind: 'lapsed-tokens' }
  /** A certificate was added or removed: forget what is kept of it. */
  | { readonly kind: 'certificate-changed'; readonly id: string }

/** Publish and subscribe between the nodes of a group. */
export interface Signals {
  /** Resolves when the signal is on its way; rejects when it could not be sent. */
  publish(signal: Signal): Promise<void>
  /** The node that publishes hears its own signals too. Returns how to stop listening. */
  subscribe(listener: (signal: Signal) => void): () => void
}
