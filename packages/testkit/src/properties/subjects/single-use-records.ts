/** Property 18 for the records of a store: sign-on nonces that live for one minute and are used by taking the record. */
import type { Millis } from '@turnpike/core/lib'
import type { Store } from '@turnpike/core/ports'
import type { SingleUseSubject } from '../property-18-single-use.ts'
import type { StoreEnvironment } from '../store-environments.ts'

const lifetimeMs = 60_000

/**
 * `stores`: of the nodes that take records in turn. `forgetsLateMs`: time for which a store may return a record after its
 * lifetime.
 */
export function singleUseRecords(
  { clock }: StoreEnvironment,
  stores: readonly Store[],
  forgetsLateMs: Millis,
): SingleUseSubject {
  let issued = 0
  let attempts = 0
  const next = () => {
    attempts += 1
    return stores[attempts % stores.length] as Store
  }
  return {
    name: stores.length > 1 ? `nonces in records, ${stores.length} nodes` : 'nonces in records',
    lifetimeMs: lifetimeMs + forgetsLateMs,
    hasChecks: false,
    make: () => ({
      async issue() {
        issued += 1
        const name = `nonce-${issued}`
        if (!(await stores[0]?.records.add(name, 'once', lifetimeMs))) throw new Error('a new name already existed')
        return name
      },
      redeem: async (name) => (await next().records.take(name)) !== undefined,
      wait: (ms) => clock.run(ms),
    }),
  }
}
