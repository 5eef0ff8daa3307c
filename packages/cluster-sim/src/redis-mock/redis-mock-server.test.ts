import { describe, expect, it } from 'vitest'
import { nodeNames, type Plan, runPlan, type Step } from '../index.ts'
import { loadRedisMock } from './redis-mock.ts'
import { redisMockServer } from './redis-mock-server.ts'

const makeServer = redisMockServer(await loadRedisMock())
const allowance = { rate: 5, per: 60, quotaMax: 0, quotaRenewalRate: 0 }
const plan = (steps: readonly Step[], more: Partial<Plan> = {}): Plan => ({
  name: 'test',
  seed: 1,
  nodes: nodeNames(3),
  algorithm: 'rolling',
  network: { delayMs: [1, 5], loss: 0, doubling: 0, reordering: false },
  deadlineMs: 100,
  keys: [{ name: 'k1', allowance, policy: undefined }],
  files: { version: 1, policies: {} },
  steps,
  endsAt: 20_000,
  ...more,
})
const requests = (count: number, at = 0): Step[] =>
  Array.from({ length: count }, (_, i) => ({ at, kind: 'request', node: `node-${(i % 3) + 1}`, key: 'k1' }))
const statuses = async (steps: readonly Step[], more: Partial<Plan> = {}) =>
  (await runPlan(plan(steps, more), { makeServer })).exchanges.map(({ status }) => status)

describe('a cluster on a mocked Redis', () => {
  it('admits the limit of a key over all nodes, and no more', async () => {
    expect((await statuses(requests(30))).sort()).toEqual([...Array(5).fill(200), ...Array(25).fill(429)])
  })

  it('forgets a window when it has passed, on virtual time', async () => {
    const shortly = { ...allowance, per: 5 }
    const steps = [...requests(6), ...requests(6, 6_000)]
    const admitted = (await statuses(steps, { keys: [{ name: 'k1', allowance: shortly, policy: undefined }] })).map(
      (status) => status === 200,
    )
    expect(admitted.filter(Boolean)).toHaveLength(10)
    expect(admitted.slice(6).filter(Boolean)).toHaveLength(5)
  })

  it('is the same again with the same seed, and another with another', async () => {
    const steps: Step[] = [
      ...requests(30),
      { at: 3, kind: 'crash', node: 'node-2' },
      { at: 600, kind: 'start', node: 'node-2' },
      { at: 800, kind: 'cut', a: 'node-1', b: 'store' },
      ...requests(9, 900),
      { at: 3_000, kind: 'heal', a: 'node-1', b: 'store' },
      ...requests(9, 8_000),
    ]
    const network = { delayMs: [1, 20], loss: 0.05, doubling: 0, reordering: false } as const
    const run = (seed: number) => runPlan(plan(steps, { seed, network }), { makeServer })
    const one = await run(1)
    expect(await run(1)).toEqual(one)
    expect(await run(2)).not.toEqual(one)
  })

  it('rejects requests while the network is cut, at once after the first deadline, and serves again when it is restored', async () => {
    const steps: Step[] = [
      { at: 10, kind: 'cut', a: 'node-1', b: 'store' },
      { at: 20, kind: 'request', node: 'node-1', key: 'k1' },
      { at: 1_000, kind: 'request', node: 'node-1', key: 'k1' },
      { at: 1_000, kind: 'request', node: 'node-2', key: 'k1' },
      { at: 5_000, kind: 'heal', a: 'node-1', b: 'store' },
      { at: 8_000, kind: 'request', node: 'node-1', key: 'k1' },
    ]
    const { exchanges } = await runPlan(plan(steps), { makeServer })
    expect(exchanges.map(({ status }) => status)).toEqual([503, 503, 200, 200])
    const took = exchanges.map(({ startedAt, endedAt = Infinity }) => endedAt - startedAt)
    expect(took[0]).toBeGreaterThanOrEqual(100)
    expect(took[0]).toBeLessThanOrEqual(150)
    expect(took[1]).toBe(0)
  })
})
