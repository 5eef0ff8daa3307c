/**
 * Property 14 for a store that keeps counters on a disk of its own: between two requests it is killed, and opened again on
 * what the disk has. Half a second passes with each request, since such a store may write a little behind.
 */

import { consumeQuota, consumeRate, plainCounter } from './plain-counters.ts'
import type { CrashStep, CrashSubject } from './property-14-crash.ts'
import { stepName } from './property-14-crash.ts'
import type { OpenEnvironment } from './store-environments.ts'

const betweenMs = 400

/** A store that is killed after so many requests; `undefined` counters of rates are not on the disk. */
export function killedStore(open: OpenEnvironment): CrashSubject {
  return {
    name: 'killed and opened again',
    // The steps of a case, and a second of writing behind.
    slackMs: 8 * betweenMs + 1000,
    async open(requests) {
      const world = await open()
      const { store, clock, crashed } = world
      if (crashed === undefined) throw new Error('this store leaves nothing behind')
      const made: CrashStep[] = []
      return {
        async count(step) {
          if (made.length >= requests) throw new Error('killed')
          made.push(step)
          const { kind, windowSeconds } = step
          if (kind === 'quota') {
            await consumeQuota(store.counters, stepName(step), { max: 2, renewalSeconds: windowSeconds }, 1)
          } else {
            const limit = { algorithm: kind, rate: 2, per: windowSeconds, smoothing: undefined, oneLess: false }
            await consumeRate(store.counters, stepName(step), limit, 1)
          }
          await clock.run(betweenMs)
        },
        async remainingCounters() {
          const after = await crashed()
          try {
            const names = [...new Set(made.filter(({ kind }) => kind === 'quota').map(stepName))]
            const found = await Promise.all(
              names.map(async (name) => ({ name, state: await after.counters.readQuota(plainCounter(name)) })),
            )
            return found.flatMap(({ name, state }) =>
              state === undefined
                ? []
                : [{ name, expiresInMs: state.renewsAt === undefined ? undefined : state.renewsAt - clock.now() }],
            )
          } finally {
            await after.close()
          }
        },
        async close() {},
      }
    },
  }
}
