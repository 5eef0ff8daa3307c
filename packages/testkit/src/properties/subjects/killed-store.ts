/**
 * Subject of property 14 for a store whose counters are on disk. After `requests` requests the store is killed, and opened
 * again with the data that is on disk. 400 ms pass after each request, because such a store may write a second behind.
 */

import { plainCounter } from '../plain-counters.ts'
import { type CrashStep, type CrashSubject, countStep, stepName } from '../property-14-refinement-crash.ts'
import type { OpenEnvironment } from '../store-environments.ts'

const betweenMs = 400

/** A store that is killed after a number of requests. Only quotas are compared, because rate counters are not on disk. */
export function killedStore(open: OpenEnvironment): CrashSubject {
  return {
    name: 'killed and opened again',
    // The steps of a case, and a second of writing behind.
    slackMs: 8 * betweenMs + 1000,
    async open(requests) {
      const { store, clock, crashed } = await open()
      if (crashed === undefined) throw new Error('the store of this harness cannot be killed')
      const made: CrashStep[] = []
      return {
        async count(step) {
          if (made.length >= requests) throw new Error('killed')
          made.push(step)
          await countStep(store.counters, step)
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
