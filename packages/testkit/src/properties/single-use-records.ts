/** Property 18 on the records of a store as they are: what sign-on nonces are, for a minute, and spent by taking them. */
import type { Millis, Store } from '@turnpike/core'
import type { SingleUseSubject } from './property-18-single-use.ts'
import type { OpenEnvironment, StoreEnvironment } from './store-environments.ts'

const lifetimeMs = 60_000

export interface RecordsOptions {
  /** How long after the end of a lifetime the store may still give a text. Default 0. */
  readonly forgetsLateMs?: Millis
  /** Nodes that spend, in turn. Default 1. */
  readonly nodes?: number
}

export function singleUseRecords(
  open: OpenEnvironment,
  { forgetsLateMs = 0, nodes = 1 }: RecordsOptions = {},
): SingleUseSubject {
  let started: { readonly world: StoreEnvironment; readonly stores: readonly Store[] } | undefined
  let made = 0
  let tried = 0
  const start = async () => {
    const world = await open()
    const stores = [world.store]
    while (stores.length < nodes) stores.push(await world.another())
    return { world, stores }
  }
  return {
    name: nodes > 1 ? `nonces in records, ${nodes} nodes` : 'nonces in records',
    lifetimeMs: lifetimeMs + forgetsLateMs,
    hasChecks: false,
    async make() {
      started ??= await start()
      const { world, stores } = started
      const { store, clock } = world
      return {
        async issue() {
          made += 1
          const name = `law-18-nonce-${made}`
          if (!(await store.records.add(name, 'once', lifetimeMs))) throw new Error('a fresh name was taken')
          return name
        },
        async spend(name) {
          tried += 1
          return (await (stores[tried % nodes] ?? store).records.take(name)) !== undefined
        },
        wait: (ms) => clock.run(ms),
      }
    },
  }
}
