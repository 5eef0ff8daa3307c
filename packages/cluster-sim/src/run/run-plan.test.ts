import { describe, expect, it } from 'vitest'
import { nodeNames, type Plan, type Step } from './plan.ts'
import { runPlan } from './run-plan.ts'

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

describe('a run', () => {
  it('admits the limit of a key over all nodes, and no more', async () => {
    const { exchanges } = await runPlan(plan(requests(30)))
    expect(exchanges.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(25).fill(429)])
  })

  it('is the same again with the same seed, and another with another', async () => {
    const steps = requests(30)
    const [one, again] = [await runPlan(plan(steps)), await runPlan(plan(steps))]
    expect(again).toEqual(one)
    expect(await runPlan(plan(steps, { seed: 2 }))).not.toEqual(one)
  })

  it('brings new files to every node by one group reload', async () => {
    const steps: Step[] = [
      { at: 100, kind: 'files', files: { version: 2, policies: {} } },
      { at: 200, kind: 'reload-group', node: 'node-1' },
      ...requests(3, 1000),
    ]
    const history = await runPlan(plan(steps))
    expect(Object.values(history.atTheEnd).map(({ version }) => version)).toEqual([2, 2, 2])
    expect(history.exchanges.map((one) => [one.status, one.versionOfPath, one.versionOfHeaders])).toEqual(
      Array(3).fill([200, 2, 2]),
    )
    expect(history.done.map(({ problem }) => problem)).toEqual([undefined, undefined])
  })

  it('rejects requests on the node that is cut off, within its deadline, and serves again when the network is restored', async () => {
    const steps: Step[] = [
      { at: 10, kind: 'cut', a: 'node-1', b: 'store' },
      { at: 20, kind: 'request', node: 'node-1', key: 'k1' },
      { at: 20, kind: 'request', node: 'node-2', key: 'k1' },
      { at: 5000, kind: 'heal', a: 'node-1', b: 'store' },
      { at: 7000, kind: 'request', node: 'node-1', key: 'k1' },
    ]
    const { exchanges } = await runPlan(plan(steps))
    expect(exchanges.map(({ status }) => status >= 500)).toEqual([true, false, false])
    expect((exchanges[0]?.endedAt ?? Infinity) - 20).toBeLessThanOrEqual(300)
  })

  it('loses the requests in progress on a node that crashes, and starts it with what is stored', async () => {
    const steps: Step[] = [
      ...requests(9, 10),
      { at: 10, kind: 'crash', node: 'node-1' },
      { at: 500, kind: 'start', node: 'node-1' },
      ...requests(9, 2000),
    ]
    const { exchanges } = await runPlan(plan(steps))
    expect(exchanges.filter(({ status }) => status === 0).map(({ node }) => node)).toEqual(Array(3).fill('node-1'))
    const admitted = exchanges.filter(({ status }) => status === 200)
    expect(admitted.length).toBeLessThanOrEqual(5)
    expect(exchanges.slice(9).every(({ status }) => status !== 0)).toBe(true)
  })

  it('counts a request to a node that is down as failed', async () => {
    const steps: Step[] = [
      { at: 10, kind: 'crash', node: 'node-1' },
      { at: 20, kind: 'reload-group', node: 'node-1' },
      { at: 30, kind: 'reload', node: 'node-1' },
    ]
    const { done } = await runPlan(plan(steps))
    expect(done.slice(1).map(({ problem, endedAt }) => [problem, endedAt])).toEqual(
      Array(2).fill(['Error: the node is down', undefined]),
    )
  })
})
