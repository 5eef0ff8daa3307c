/**
 * A million requests on virtual time, to show how many cases verification can run: through the whole pipeline of one
 * engine (key, rights, rate, quota), and through a simulated cluster of eight nodes. Figures are CPU time of one core.
 */

import { type Plan, runPlan, type Step } from '@turnpike/cluster-sim'
import { isPromise } from '@turnpike/core/lib'
import { makeVirtualClock } from '@turnpike/testkit'
import { makeBenchEngine, requestFor } from '../in-process/bench-engine.ts'
import { ownCpuMicros } from '../measure/process-cpu.ts'
import { spreadOf } from '../measure/statistics.ts'
import { type Row, rowOf } from '../report/table.ts'
import { definition, keyed } from '../subjects/definition.ts'
import { roomySession } from '../subjects/roomy-session.ts'

const million = 1_000_000
const nodes = 8

const cpuSeconds = () => ownCpuMicros() / 1e6

/** `requests`: number per run. The result is scaled to a million. */
export async function measureMillion(rounds: number, requests = million): Promise<Row[]> {
  const clock = makeVirtualClock()
  const { engine, putKey } = await makeBenchEngine([definition('full', 'http://unused.test', keyed)], { clock })
  const keys = Array.from({ length: 100 }, (_, i) => `bench${i}`)
  for (const key of keys) await putKey(key, roomySession('full'))
  const asks = keys.map((key) => requestFor('/full/x', key))
  const seconds: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const used = cpuSeconds()
    let admitted = 0
    for (let i = 0; i < requests; i += 1) {
      // 100 requests per virtual millisecond.
      if (i % 100 === 0) clock.advance(1)
      const ask = asks[i % asks.length]
      const response = ask === undefined ? undefined : engine.handle(ask)
      if (response !== undefined && !isPromise(response) && response.status === 200) admitted += 1
    }
    seconds.push((cpuSeconds() - used) * (million / requests))
    if (admitted !== requests) throw new Error(`${requests - admitted} requests were not admitted`)
  }
  const spread = spreadOf(seconds)
  return [
    rowOf(
      '1,000,000 virtual requests, key, rate and quota',
      spread,
      ' s',
      5,
      `${rounds} times, slowest ${spread.max.toFixed(2)} s`,
    ),
  ]
}

/** The cluster runs once, because it takes long. */
export async function measureSimulatedCluster(requests = million): Promise<Row[]> {
  const names = Array.from({ length: nodes }, (_, i) => `node-${i + 1}`)
  const steps = Array.from(
    { length: requests },
    (_, i): Step => ({
      at: Math.floor(i / 20),
      kind: 'request',
      node: names[i % nodes] ?? '',
      key: `k${i % 50}`,
    }),
  )
  const plan: Plan = {
    name: 'a million requests',
    seed: 1,
    nodes: names,
    algorithm: 'rolling',
    network: { delayMs: [1, 3], loss: 0, doubling: 0, reordering: false },
    deadlineMs: 1_000,
    keys: Array.from({ length: 50 }, (_, i) => ({
      name: `k${i}`,
      allowance: { rate: 500, per: 1, quotaMax: 0, quotaRenewalRate: 0 },
      policy: undefined,
    })),
    files: { version: 1, policies: {} },
    steps,
    endsAt: Math.ceil(requests / 20) + 2_000,
  }
  const used = cpuSeconds()
  const { exchanges } = await runPlan(plan)
  const seconds = (cpuSeconds() - used) * (million / requests)
  const unanswered = exchanges.filter(({ status }) => status !== 200 && status !== 429).length
  if (exchanges.length !== requests || unanswered > 0) throw new Error(`${unanswered} requests have no proper answer`)
  const admitted = exchanges.filter(({ status }) => status === 200).length
  return [
    rowOf(
      `1,000,000 virtual requests through ${nodes} simulated nodes`,
      seconds,
      ' s',
      60,
      `${admitted} of ${requests} admitted`,
    ),
  ]
}
