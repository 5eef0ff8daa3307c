import { withSubject } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import type { Around } from '../cluster/sim-node.ts'
import { planOfScenario } from './plan-of-scenario.ts'
import { readScenario } from './read-scenario.ts'
import { runScenario } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'
import { timelineOf } from './timeline.ts'

const read = (data: object): Scenario => {
  const { scenario, problems } = readScenario(data)
  if (scenario === undefined) throw new Error(JSON.stringify(problems))
  return scenario
}

const busy = {
  name: 'busy',
  nodes: 4,
  duration: '10s',
  quiet: '20s',
  network: { delay: ['1ms', '20ms'], loss: 0.02, doubling: 0.1, reordering: true },
  keys: { k1: { rate: 5, per: 10 }, k2: { policy: 'gold' } },
  policies: { gold: { quota_max: 20, quota_renewal_rate: 3600 } },
  load: [{ per_second: 20 }, { key: 'k2', burst: 30, from: '2s' }],
  faults: [{ at: '3s', partition: ['node-1', 'store'], for: '2s' }],
  random: { crashes: 1, clock_steps: 1 },
  changes: [{ at: '4s', reload: 'group' }],
}

describe('a scenario', () => {
  it('holds on the engine, over many seeds', { timeout: 60_000 }, async () => {
    const report = await runScenario(read(busy), { runs: 20 })
    expect(report).toMatchObject({ holds: true, runs: 20 })
    expect(report.requests).toBe(20 * 230)
  })

  it('gives the same plan for the same seed', () => {
    const scenario = read(busy)
    expect(planOfScenario(scenario, 7)).toEqual(planOfScenario(scenario, 7))
    expect(planOfScenario(scenario, 8)).not.toEqual(planOfScenario(scenario, 7))
  })

  it('ends with the shortest schedule that breaks it, as a timeline', { timeout: 60_000 }, async () => {
    const perNode: Around = {
      store: (store, node) => ({
        ...store,
        counters: {
          ...store.counters,
          consume: (counter, amount) =>
            store.counters.consume(withSubject(counter, `${counter.subject}@${node}`), amount),
        },
      }),
    }
    const report = await runScenario(read(busy), { around: perNode, runs: 5 })
    if (report.holds) throw new Error('the fault was not seen')
    expect(report.violation).toEqual({
      check: 'bound',
      message: expect.stringMatching(/^key k1: 6 admitted from \d+ ms to \d+ ms, where 5 may be$/),
    })
    expect(report.plan.steps.map(({ kind }) => kind)).toEqual(Array(6).fill('request'))
    expect(timelineOf(report.history)).toMatch(/request 0 on node-\d, key k1\n[\s\S]*request 5 admitted \(200/)
  })

  it.each([
    [{ keys: { k1: {} }, nodes: 0 }, 'nodes', 'must be 1 to 256, is 0'],
    [{}, 'keys', 'is empty: give at least one key, for instance {"k1": {"rate": 10, "per": 60}}'],
    [{ keys: { k1: {} }, laod: [] }, 'laod', 'is not a known field; did you mean load?'],
    [
      { keys: { k1: {} }, duration: 'soon' },
      'duration',
      'must be a time: a number of milliseconds, or a text like 10s, 250ms or 2m, is a text',
    ],
    [{ keys: { k1: { rate: 5 } } }, 'keys.k1.per', 'is missing: a rate needs the seconds it is for'],
    [
      { keys: { k1: {} }, faults: [{ at: 1, crash: 'node-9' }] },
      'faults[0].crash',
      'there is no node-9; there are node-1, node-2, node-3',
    ],
    [
      { keys: { k1: {} }, faults: [{ at: 1 }] },
      'faults[0]',
      'is no fault: give partition, crash, restart, store_down, failover, clock or disk',
    ],
    [{ keys: { k1: {} }, load: [{}] }, 'load[0]', 'sends no requests: set per_second or burst'],
    [
      { keys: { k1: {} }, network: { delay: [5, 1] } },
      'network.delay',
      'must be the minimum and the maximum delay of a message, like [1ms, 20ms]',
    ],
    [{ keys: { k1: {} }, store: 'redis' }, 'store', 'must be one of "memory", "redis-mock"'],
    [{ keys: { k1: {} }, network: { loss: 2 } }, 'network.loss', 'must be a probability from 0 to 1, is 2'],
  ])('%j is reported at %s', (data, field, message) => {
    expect(readScenario(data).problems).toContainEqual({ field, message })
  })
})
