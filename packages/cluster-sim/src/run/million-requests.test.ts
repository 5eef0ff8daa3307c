/**
 * A busy cluster in one run: in CI a million requests through eight nodes. How long it takes is shown by
 * `npm run bench -- --only sim`; here is asked whether every answer is right.
 */
import { expect, it } from 'vitest'
import { nodeNames, type Plan, type Step } from './plan.ts'
import { runPlan } from './run-plan.ts'

const requests = process.env['CI'] === undefined ? 50_000 : 1_000_000
const perMs = 20
const rate = 500
const nodes = nodeNames(8)
/** Asked for twice as often as its rate allows; the others stay below theirs. */
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

it('a cluster of eight answers all of them: whoever keeps to a rate is never refused, whoever does not is', {
  timeout: 600_000,
}, async () => {
  const { asked } = await runPlan(plan)
  expect(asked).toHaveLength(requests)
  const count = { calm: 0, refusedCalm: 0, hot: 0, unanswered: 0 }
  for (const { key, status } of asked) {
    if (status !== 200 && status !== 429) count.unanswered += 1
    else if (key === hot) count.hot += status === 200 ? 1 : 0
    else if (status === 200) count.calm += 1
    else count.refusedCalm += 1
  }
  // A rolling window counts refused requests as well: beyond its first 500 the hot key has room no more.
  const calmRequests = requests - requests / perMs
  expect(count).toEqual({ calm: calmRequests, refusedCalm: 0, hot: rate, unanswered: 0 })
})
