import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainSettings } from '../../test/support/test-settings.ts'
import { silentLog } from '../ports/log.ts'
import { sessionShape } from '../ports/session.ts'
import { makeMemorySessions } from '../store-memory/memory-sessions.ts'
import type { CachedKey } from './cached-key.ts'
import { emptyPolicyBook } from './policies/policy-book.ts'
import { makeSessionCache } from './session-cache.ts'

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('find' as const),
      org: fc.constantFrom('o1', 'o2'),
      credential: fc.constantFrom('a', 'b', 'c', 'o1a', 'o1b'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      name: fc.constantFrom('a', 'o1a', 'o1b', 'o2a', 'o2c'),
      lifetime: fc.constantFrom(undefined, 2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), name: fc.constantFrom('o1a', 'o2c') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('renew' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
)

test('the cache returns keys as they are stored, after any sequence of operations', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let now = 0
      const clock = { now: () => now, after: () => () => {}, breathe: () => Promise.resolve() }
      const sessions = makeMemorySessions(clock)
      const cacheOf = (cachedSessions: number) => {
        const settings = { ...plainSettings, keys: { ...plainSettings.keys, cachedSessions } }
        return makeSessionCache({
          store: { sessions },
          settings,
          policies: () => emptyPolicyBook,
          clock,
          log: silentLog,
        })
      }
      const [small, none] = [cacheOf(2), cacheOf(0)]
      for (const [i, it] of steps.entries()) {
        if (it.kind === 'wait') now++
        if (it.kind === 'renew') small.renew()
        if (it.kind === 'put') {
          sessions.put(it.name, { ...sessionShape.zero(), alias: String(i) }, it.lifetime)
          small.forget(it.name)
        }
        if (it.kind === 'remove') {
          sessions.remove(it.name)
          small.forget(it.name)
        }
        if (it.kind === 'find') {
          const [found, stored] = [small, none].map(
            (cache) => cache.find(it.credential, it.org) as CachedKey | undefined,
          )
          expect(found?.session.alias).toBe(stored?.session.alias)
          expect(found?.storedName).toBe(stored?.storedName)
        }
      }
    }),
    { numRuns: 500 },
  )
})
