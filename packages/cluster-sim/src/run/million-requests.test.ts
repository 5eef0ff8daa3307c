/**
 * A busy cluster in one run: in CI a million requests through eight nodes. This test checks that every response is
 * correct; `npm run bench -- --only sim` measures the duration.
 */
import { expect, it } from 'vitest'
import { nodeNames, type Plan, type Step } from './plan.ts'
import { runPlan } from './run-plan.ts'

const requests = process.env['CI'] === undefined ? 50_000 : 1_000_000
const perMs = 20
const rate = 500
const nodes = nodeNames(8)
/** Its request rate is twice its limit; the other keys stay below theirs. */
const hot = 'hot'
const calm = Array.from({ length: 50 }, (_, i) => `k${i}`)

const plan: Plan = {
  name: 'a million requests',
  seed: 1,
  nodes,
  algorithm: 'rolling',
  network: { delayMs: [1, 3], loss: 0, doubling: 0, reordering: false },
  deadlineMs: 1_000,
  keys: [hot, ...calm].map((name) => ({
    name,
    allowance: { rate, per: 1, quotaMax: 0, quotaRenewalRate: 0 },
    policy: undefined,
  })),
  files: { version: 1, policies: {} },
  steps: Array.from({ length: requests }, (_, i): Step => {
    const at = Math.floor(i / perMs)
    const key = i % perMs === 0 ? hot : (calm[i % calm.length] ?? '')
    return { at, kind: 'request', node: nodes[i % nodes.length] ?? '', key }
  }),
  endsAt: Math.ceil(requests / perMs) + 2_000,
}

it('a cluster of eight responds to all: clients within their rate are never rejected, others are', {
  timeout: 600_000,
}, async () => {
  const { exchanges } = await runPlan(plan)
  expect(exchanges).toHaveLength(requests)
  const count = { calm: 0, rejectedCalm: 0, hot: 0, unanswered: 0 }
  for (const { key, status } of exchanges) {
    if (status !== 200 && status !== 429) count.unanswered += 1
    else if (key === hot) count.hot += status === 200 ? 1 : 0
    else if (status === 200) count.calm += 1
    else count.rejectedCalm += 1
  }
  // A rolling window also counts rejected requests, so the hot key is rejected after its first 500.
  const calmRequests = requests - requests / perMs
  expect(count).toEqual({ calm: calmRequests, rejectedCalm: 0, hot: rate, unanswered: 0 })
})
