/** A store that becomes unavailable: while it is, every call fails at the deadline, as with Redis. */
import type { Maybe } from '@turnpike/core/lib'
import { type Clock, type Store, StoreUnavailableError } from '@turnpike/core/ports'

export interface FallibleStore extends Store {
  setAvailable(isAvailable: boolean): void
}

/** `deadlineMs`: how long a call waits before it fails. */
export function makeFallibleStore(store: Store, clock: Clock, deadlineMs: number): FallibleStore {
  let isAvailable = true
  const fail = () =>
    new Promise<never>((_, reject) => {
      clock.after(deadlineMs, () => reject(new StoreUnavailableError('the store did not respond')))
    })
  const section = <T extends object>(methods: T): T => {
    const wrapped: Record<string, unknown> = {}
    for (const [name, method] of Object.entries(methods)) {
      wrapped[name] =
        typeof method === 'function'
          ? (...args: unknown[]): Maybe<unknown> => (isAvailable ? method.apply(methods, args) : fail())
          : method
    }
    return wrapped as T
  }
  return {
    sessions: section(store.sessions),
    organisations: section(store.organisations),
    counters: section(store.counters),
    responses: section(store.responses),
    records: section(store.records),
    check: () =>
      isAvailable ? store.check() : Promise.resolve({ ok: false as const, reason: 'the store did not respond' }),
    close: () => store.close(),
    setAvailable(next) {
      isAvailable = next
    },
  }
}
