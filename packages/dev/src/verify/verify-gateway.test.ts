/** Tests that the sample company's files keep their guarantees, and that bugs seeded into its store are found. */
import { fileURLToPath } from 'node:url'
import type { CounterStore, Store } from '@turnpike/core/ports'
import { withSubject } from '@turnpike/testkit'
import { loadConfig, readSeed } from 'turnpike/embedding'
import { describe, expect, it } from 'vitest'
import { isExercised } from './coverage.ts'
import { allProperties, onlyProperty, type PropertyFilter } from './property-filter.ts'
import { outcomeOf, type VerifyOptions, type VerifyReport, verifyGateway } from './verify-gateway.ts'
import { verifyLines } from './verify-lines.ts'

const file = fileURLToPath(new URL('../../../../fixtures/company/gateway.json', import.meta.url))

async function verify(
  around?: (store: Store) => Store,
  filter: PropertyFilter = allProperties,
  more: Partial<VerifyOptions> = {},
): Promise<VerifyReport> {
  const loaded = loadConfig({ file, environment: {}, cwd: '/' })
  const seed = readSeed(loaded.config.seed)
  if ('problem' in seed) throw new Error(seed.problem)
  return verifyGateway({
    loaded,
    environment: {},
    seedFile: seed.seed,
    seed: 1,
    milliseconds: 0,
    trials: 15,
    filter,
    warnings: true,
    now: () => 0,
    today: 0,
    around,
    ...more,
  })
}

const withCounters = (change: (real: CounterStore) => Partial<CounterStore>) => (store: Store) => ({
  ...store,
  counters: { ...store.counters, ...change(store.counters) },
})

it('finds nothing wrong with the company', { timeout: 240_000 }, async () => {
  const report = await verify()
  expect(report.broken && verifyLines(report, '')).toBeUndefined()
  expect(report.warnings).toEqual([])
  expect(outcomeOf(report)).toBe('verified')
  expect(report.traces).toBeGreaterThanOrEqual(25)
  // Each limit has a trace that exhausts it. 100,000 requests are too many.
  expect(report.guarantees.filter(({ coverage }) => !isExercised(coverage)).map(({ words }) => words)).toEqual([
    expect.stringContaining('100,000 requests a day'),
  ])
  expect(report.guarantees.map(({ words }) => words)).toContain(
    'policy "partner-per-api" guarantees each key at most 3 requests in 60 s on "partner"',
  )
  expect(report.untried).toEqual([
    { what: 'policy "members-access" on "members"', why: 'its callers prove themselves by oauth' },
    { what: '"ledger" without a key', why: 'it is internal' },
  ])
})

describe('finds a bug seeded into the store', () => {
  const faults: readonly [string, number, (store: Store) => Store, (PropertyFilter | undefined)?][] = [
    [
      'a counter that forgets every seventh request',
      2,
      withCounters((real) => {
        let calls = 0
        return {
          consume(counter, amount) {
            if (counter.rate !== undefined) calls += 1
            return real.consume(counter, counter.rate !== undefined && calls % 7 === 0 ? 0 : amount)
          },
        }
      }),
    ],
    [
      'a quota of one more',
      11,
      withCounters((real) => ({
        consume: (counter, amount) =>
          real.consume(
            { ...counter, quota: counter.quota && { ...counter.quota, max: counter.quota.max + 1 } },
            amount,
          ),
      })),
    ],
    [
      'a window that is a second too short',
      2,
      withCounters((real) => ({
        consume: (counter, amount) =>
          real.consume({ ...counter, rate: counter.rate && { ...counter.rate, per: counter.rate.per - 1 } }, amount),
      })),
      onlyProperty(2),
    ],
    [
      'keys that share a counter',
      8,
      withCounters((real) => ({
        consume: (counter, amount) =>
          real.consume(withSubject(counter, counter.subject.replace(/^[0-9a-f]{64}$/, 'all')), amount),
      })),
      onlyProperty(8),
    ],
    [
      'keys that stay when they are deleted',
      17,
      (store) => ({ ...store, sessions: { ...store.sessions, remove: () => true } }),
      onlyProperty(17),
    ],
  ]
  it.each(faults)('%s breaks property %i', { timeout: 240_000 }, async (_, property, around, filter) => {
    const { broken } = await verify(around, filter)
    expect(broken?.violation.property).toBe(property)
    expect(broken?.moments.at(-1)).toMatchObject({ kind: 'request', right: false })
  })
})

describe('equal concurrent requests', () => {
  /** Decides every second request later than the one after it, as stages outside of this thread do. */
  const reorders = withCounters((real) => {
    let calls = 0
    return {
      async consume(counter, amount) {
        calls += 1
        for (let turn = calls % 2 === 0 ? 0 : 200; turn > 0; turn -= 1) await Promise.resolve()
        return real.consume(counter, amount)
      },
    }
  })

  it('may be decided in any order', { timeout: 240_000 }, async () => {
    const report = await verify(reorders)
    expect(report.broken && verifyLines(report, '')).toBeUndefined()
  })

  it('are still counted', { timeout: 240_000 }, async () => {
    const forgets = withCounters((real) => {
      let calls = 0
      return {
        async consume(counter, amount) {
          calls += 1
          return real.consume(counter, calls % 7 === 0 ? 0 : amount)
        },
      }
    })
    const { broken } = await verify((store) => forgets(reorders(store)))
    expect(broken?.violation.property).toBe(2)
  })
})

it('ends shrinking when the time is over, and says so', { timeout: 240_000 }, async () => {
  const sharedCounter = withCounters((real) => ({
    consume: (counter, amount) =>
      real.consume(withSubject(counter, counter.subject.replace(/^[0-9a-f]{64}$/, 'all')), amount),
  }))
  // Every look at the clock takes a second, and shrinking has five seconds at least.
  let now = 0
  let shrunk = 0
  const { broken } = await verify(sharedCounter, onlyProperty(8), {
    milliseconds: 0,
    trials: 300,
    now: () => {
      now += 1000
      return now
    },
    onProgress: ({ isShrinking }) => {
      if (isShrinking) shrunk += 1
    },
  })
  expect(broken?.stoppedEarly).toBe(true)
  expect(shrunk).toBeGreaterThan(0)
  expect(shrunk).toBeLessThanOrEqual(5)
})
