import {
  type Around,
  nodeRows,
  readScenario,
  runScenario,
  type ScenarioReport,
  type ScenarioRunOptions,
  StoreSilent,
} from '@turnpike/cluster-sim'
import type { CounterStore } from '@turnpike/core/ports'
import { withSubject } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { readShippedScenario, scenarioNames } from './shipped-scenarios.ts'

async function run(name: string, options: ScenarioRunOptions = {}): Promise<ScenarioReport> {
  const { scenario, problems } = readScenario(readShippedScenario(name))
  if (scenario === undefined) throw new Error(JSON.stringify(problems))
  return runScenario(scenario, { runs: 10, ...options })
}

/** The requests of all nodes in the first run, by outcome. */
function totals({ plan, history }: ScenarioReport) {
  const sum = { requests: 0, admitted: 0, rejected: 0, unavailable: 0, failed: 0, silent: 0, lost: 0 }
  for (const row of nodeRows(plan, history)) {
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += row[name]
  }
  return sum
}

const counting = (change: (counters: CounterStore, node: string) => CounterStore['consume']): Around => ({
  store: (store, node) => ({ ...store, counters: { ...store.counters, consume: change(store.counters, node) } }),
})

/** Each has the check that must detect it. */
const bugs: Readonly<Record<string, { readonly check: string; readonly around: Around }>> = {
  'partition: a node admits what it cannot count': {
    check: 'bound',
    around: counting((counters) => async (counter, amount) => {
      try {
        return await counters.consume(counter, amount)
      } catch {
        return {
          rate: counter.rate && { allowed: true, remaining: 0, resetAt: 0 },
          quota: counter.quota && { allowed: true, remaining: 0, renewsAt: 0, max: counter.quota.max },
        } as Awaited<ReturnType<CounterStore['consume']>>
      }
    }),
  },
  'clock-skew: the counter belongs to the hour of the node': {
    check: 'bound',
    around: {
      store: (store, _, clock) => ({
        ...store,
        counters: {
          ...store.counters,
          consume: (counter, amount) =>
            store.counters.consume(
              withSubject(counter, `${counter.subject}@${Math.floor(clock.now() / 3_600_000)}`),
              amount,
            ),
        },
      }),
    },
  },
  'redis-failover: a node gives up the store after three failures': {
    check: 'recovery',
    around: counting((counters) => {
      let failures = 0
      return async (counter, amount) => {
        if (failures >= 3) throw new StoreSilent('consume')
        try {
          return await counters.consume(counter, amount)
        } catch (cause) {
          failures += 1
          throw cause
        }
      }
    }),
  },
  'rolling-restart: each start of a node begins with empty counters': {
    check: 'bound',
    around: (() => {
      let starts = 0
      return {
        store: (store) => {
          starts += 1
          const life = Math.max(0, starts - 3)
          return {
            ...store,
            counters: {
              ...store.counters,
              consume: (counter, amount) =>
                store.counters.consume(withSubject(counter, `${counter.subject}#${life}`), amount),
            },
          }
        },
      } satisfies Around
    })(),
  },
  'slow-network: nodes ignore reload signals and have no heartbeat': {
    check: 'convergence',
    around: {
      heartbeatMs: 3_600_000,
      signals: (signals) => ({
        publish: (signal) => signals.publish(signal),
        subscribe: (listener) => signals.subscribe((signal) => signal.kind !== 'reload' && listener(signal)),
      }),
    },
  },
}

describe('the scenarios of the package', { timeout: 60_000 }, () => {
  it('are these, and each says what one sees', () => {
    expect(scenarioNames()).toEqual(['clock-skew', 'partition', 'redis-failover', 'rolling-restart', 'slow-network'])
    for (const name of scenarioNames()) {
      expect(readScenario(readShippedScenario(name)).scenario?.about, name).toMatch(/\.$/)
    }
  })

  it('partition: only nodes without the store respond with 503, and all limits are reached', async () => {
    const report = await run('partition')
    expect(report.holds).toBe(true)
    expect(totals(report)).toMatchObject({ requests: 400, failed: 0, silent: 0 })
    const failed = report.history.exchanges.filter(({ status }) => status === 503)
    expect(failed.length).toBeGreaterThan(10)
    for (const { startedAt } of failed) expect(startedAt >= 4_500 && startedAt <= 20_000).toBe(true)
  })

  it('clock-skew: clients notice nothing', async () => {
    const report = await run('clock-skew')
    expect(report.holds).toBe(true)
    expect(totals(report)).toMatchObject({ unavailable: 0, failed: 0, silent: 0, lost: 0 })
  })

  it('redis-failover: 503 during the outage only', async () => {
    const report = await run('redis-failover')
    expect(report.holds).toBe(true)
    expect(totals(report)).toMatchObject({ failed: 0, silent: 0 })
    const failed = report.history.exchanges.filter(({ status }) => status === 503)
    expect(failed.length).toBeGreaterThan(5)
    for (const { startedAt } of failed) expect(startedAt >= 9_500 && startedAt <= 13_000).toBe(true)
  })

  it('rolling-restart: each request is served, by another node if its own restarts', async () => {
    const report = await run('rolling-restart')
    expect(report.holds).toBe(true)
    expect(totals(report)).toMatchObject({ unavailable: 0, failed: 0, silent: 0, lost: 0 })
    const duringRestart = report.history.exchanges.filter(({ startedAt }) => startedAt > 3_000 && startedAt < 8_000)
    expect(new Set(duringRestart.map(({ node }) => node))).toEqual(new Set(['node-2', 'node-3']))
  })

  it('slow-network: lost messages cost a 503, never a limit', async () => {
    const report = await run('slow-network')
    expect(report.holds).toBe(true)
    const { unavailable, failed, lost } = totals(report)
    expect([unavailable > 0, unavailable <= lost, failed]).toEqual([true, true, 0])
  })

  it.each(Object.entries(bugs))('a seeded bug is found. %s', async (title, { check, around }) => {
    const report = await run(title.split(':')[0] ?? '', { around, maxShrinks: 0 })
    expect(report.holds === false && report.violation.check).toBe(check)
  })
})
