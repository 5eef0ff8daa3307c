/** Property 18 for the records of a store: sign-on nonces that live for one minute and are used by taking the record. */
import type { Millis, Store } from '@turnpike/core'
import type { SingleUseSubject } from '../property-18-single-use.ts'
import type { OpenEnvironment, StoreEnvironment } from '../store-environments.ts'

const lifetimeMs = 60_000

export interface RecordsOptions {
  /** Milliseconds for which the store may return a record after its lifetime. Default 0. */
  readonly forgetsLateMs?: Millis
  /** Number of nodes that take records in turn. Default 1. */
  readonly nodes?: number
}

export function singleUseRecords(
  open: OpenEnvironment,
  { forgetsLateMs = 0, nodes = 1 }: RecordsOptions = {},
): SingleUseSubject {
  let started: { readonly environment: StoreEnvironment; readonly stores: readonly Store[] } | undefined
  let issued = 0
  let attempts = 0
  const start = async () => {
    const environment = await open()
    const stores = [environment.store]
    while (stores.length < nodes) stores.push(await environment.another())
    return { environment, stores }
  }
  return {
    name: nodes > 1 ? `nonces in records, ${nodes} nodes` : 'nonces in records',
    lifetimeMs: lifetimeMs + forgetsLateMs,
    hasChecks: false,
    async make() {
      started ??= await start()
      const { environment, stores } = started
      const { store, clock } = environment
      return {
        async issue() {
          issued += 1
          const name = `nonce-${issued}`
          if (!(await store.records.add(name, 'once', lifetimeMs))) throw new Error('a new name already existed')
          return name
        },
        async redeem(name) {
          attempts += 1
          return (await (stores[attempts % nodes] ?? store).records.take(name)) !== undefined
        },
        wait: (ms) => clock.run(ms),
      }
    },
  }
}
