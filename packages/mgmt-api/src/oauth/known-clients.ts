/**
 * Whether the client of a token still exists. Each use of a token needs this, so the result is cached for a second. A
 * removal on this node takes effect at once, one on another node after that second. Source: docs/reference/oauth-endpoints.md#token-session.
 */
import { type Maybe, when } from '@turnpike/core/lib'
import type { Clock } from '@turnpike/core/ports'
import { LRUCache } from 'lru-cache'

export interface KnownClients {
  isThere(apiId: string, clientId: string): Maybe<boolean>
  /** Called when this node creates or removes the client. */
  forget(apiId: string, clientId: string): void
}

const rememberedMs = 1000
const maxClients = 10_000

export function makeKnownClients(
  look: (apiId: string, clientId: string) => Maybe<boolean>,
  clock: Pick<Clock, 'now'>,
): KnownClients {
  // Bounded by size, because lru-cache allocates all slots at once for a bound by number.
  const known = new LRUCache<string, { readonly there: boolean; readonly until: number }>({
    maxSize: maxClients,
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
        // A value that was read before a change is stale.
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
