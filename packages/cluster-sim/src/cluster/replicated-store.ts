/**
 * A store in memory with a replica that lags behind, like Redis with asynchronous replication. The replica executes the
 * calls of the primary later, at the times at which the primary executed them. Its promotion loses the calls that have
 * not reached it.
 */
import type { Maybe, Millis } from '@turnpike/core/lib'
import type { Clock, Store } from '@turnpike/core/ports'
import { makeMemoryStore } from '@turnpike/core/store-memory'
import { type StoreServer, serverOf } from './store-server.ts'

type Method = (...args: unknown[]) => Maybe<unknown>

/** `promote` of the server replaces the primary by the replica; later calls have no effect. */
export function replicatedServer(clock: Clock, lagMs: Millis): StoreServer {
  const primary = makeMemoryStore({ clock })
  let isPromoted = false
  const replicaClock: Clock = { ...clock, now: () => clock.now() - (isPromoted ? 0 : lagMs) }
  const replica = makeMemoryStore({ clock: replicaClock })

  const both = <T extends object>(first: T, second: T): T => {
    const methods: Record<string, Method> = {}
    for (const [name, method] of Object.entries(first)) {
      if (typeof method !== 'function') continue
      const other = second[name as keyof T] as Method
      methods[name] = (...args) => {
        if (isPromoted) return other.apply(second, args)
        clock.after(lagMs, () => {
          if (!isPromoted) void other.apply(second, args)
        })
        return (method as Method).apply(first, args)
      }
    }
    return methods as T
  }

  const store: Store = {
    sessions: both(primary.sessions, replica.sessions),
    organisations: both(primary.organisations, replica.organisations),
    counters: both(primary.counters, replica.counters),
    responses: both(primary.responses, replica.responses),
    records: both(primary.records, replica.records),
    check: () => primary.check(),
    async close() {
      await primary.close()
      await replica.close()
    },
  }
  return {
    ...serverOf(store),
    promote() {
      isPromoted = true
    },
  }
}
