/**
 * Whether the client of a token is still there: asked at each use of a token, so the response is remembered for a second.
 * A removal on this node holds at once, one on another node after that second. Source: docs/reference/oauth-endpoints.md#token-session.
 */
import { type Clock, type Maybe, when } from '@turnpike/core'
import { LRUCache } from 'lru-cache'

export interface KnownClients {
  isThere(apiId: string, clientId: string): Maybe<boolean>
  /** It was made or removed on this node. */
  forget(apiId: string, clientId: string): void
}

const rememberedMs = 1000
const mostClients = 10_000

export function makeKnownClients(
  look: (apiId: string, clientId: string) => Maybe<boolean>,
  clock: Pick<Clock, 'now'>,
): KnownClients {
  // Bounded by size, since a bound by number would reserve its room at once.
  const known = new LRUCache<string, { readonly there: boolean; readonly until: number }>({
    maxSize: mostClients,
    sizeCalculation: () => 1,
  })
  const nameOf = (apiId: string, clientId: string) => `${apiId.length}:${apiId}${clientId}`
  let changes = 0
  return {
    isThere(apiId, clientId) {
      const name = nameOf(apiId, clientId)
      const held = known.get(name)
      const now = clock.now()
      if (held !== undefined && now < held.until) return held.there
      const before = changes
      return when(look(apiId, clientId), (there) => {
        // What was read before a change says nothing after it.
        if (changes === before) known.set(name, { there, until: now + rememberedMs })
        return there
      })
    },
    forget(apiId, clientId) {
      changes += 1
      known.delete(nameOf(apiId, clientId))
    },
  }
}
