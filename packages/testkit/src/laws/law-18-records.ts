/** Law 18 on the records of a store as they are: what sign-on nonces are, for a minute, and spent by taking them. */
import type { LawWorld, OpenWorld } from './lab-bench.ts'
import type { SpentOnceSubject } from './law-18-spent-once.ts'

const lifetimeMs = 60_000

/** `forgetsLateMs`: how long after the end of a lifetime the store may still give a text. */
export function recordsSpentOnce(open: OpenWorld, forgetsLateMs = 0): SpentOnceSubject {
  let world: LawWorld | undefined
  let made = 0
  return {
    name: 'nonces in records',
    lifetimeMs: lifetimeMs + forgetsLateMs,
    hasChecks: false,
    async make() {
      world ??= await open()
      const { store, clock } = world
      return {
        async issue() {
          made += 1
          const name = `law-18-nonce-${made}`
          if (!(await store.records.add(name, 'once', lifetimeMs))) throw new Error('a fresh name was taken')
          return name
        },
        spend: async (name) => (await store.records.take(name)) !== undefined,
        wait: (ms) => clock.run(ms),
      }
    },
  }
}
