/**
 * Three gateway processes on one real Redis, concurrent clients, and faults: killed and suspended processes and a
 * partition. What the clients saw must be linearizable, or within what docs/redis.md says.
 *
 * A longer run: TURNPIKE_LINEARIZABILITY_SECONDS=600 npx vitest run packages/turnpike/test/linearizability
 * TURNPIKE_LINEARIZABILITY_SEED repeats the choices of faults and calls, but not the timing of the processes.
 */
import { titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Draw, startClients } from './clients.ts'
import { everyFault, type FaultKind, injectFaults } from './faults.ts'
import { type GatewaysOptions, type SeededBug, startGateways } from './gateways.ts'
import { judgeHistories } from './judge-histories.ts'

const seconds = Number(process.env['TURNPIKE_LINEARIZABILITY_SECONDS'] ?? 0)
const seed = Number(process.env['TURNPIKE_LINEARIZABILITY_SEED'] ?? Math.floor(Math.random() * 1e9))
const clients = 24

describe.skipIf(withoutRedis)(titleWithRedis('histories of gateway processes on one Redis'), () => {
  // A violation would not occur again, so no run is repeated.
  const options = { retry: 0, timeout: 240_000 + seconds * 1000 }

  it.each([
    ['rolling', everyFault],
    ['fixed', ['kill Redis', 'partition a gateway from Redis', 'suspend a gateway']],
  ] as const)('are linearizable with faults, with the limiter %s', options, async (limiter, faults) => {
    const { lines, problems, histories, means, done } = await run({ limiter }, faults)
    console.log([`seed ${seed}; ${done.join(', ')}; partition by ${means}`, ...lines].join('\n'))
    expect(problems).toEqual([])
    // Otherwise the clients would not have reached the limits.
    for (const decisions of [histories.quotas, limiter === 'rolling' ? histories.rates : histories.windows]) {
      expect(new Set(decisions.map(({ output }) => output?.allowed))).toEqual(new Set([true, false, undefined]))
    }
  })

  it('are not if Redis forgets acknowledged writes', options, async () => {
    await expectViolations('redis forgets', ['kill Redis'], ['not linearizable'])
  })

  it('are not if a node counts in two steps and returns old reads', options, async () => {
    await expectViolations('buggy node', [], ['quotas: not linearizable', 'management calls on keys: not linearizable'])
  })
})

/** Repeats the run if the machine was too busy for enough concurrent calls. */
async function expectViolations(seededBug: SeededBug, faults: readonly FaultKind[], texts: readonly string[]) {
  const missing = new Set(texts)
  for (let tried = 0; tried < 5 && missing.size > 0; tried++) {
    const { problems } = await run({ limiter: 'rolling', seededBug }, faults)
    for (const text of missing) if (problems.some((problem) => problem.includes(text))) missing.delete(text)
  }
  expect([...missing]).toEqual([])
}

async function run(options: GatewaysOptions, faults: readonly FaultKind[]) {
  const { limiter, seededBug } = options
  const gateways = await startGateways(options)
  onTestFinished(() => gateways.close())
  const faultSeconds = seededBug === undefined ? seconds : 3
  const draw = makeDraw(seed)
  // With a seeded bug the clients keep the same few objects, so that each is used before and after a fault.
  const ofObjects = seededBug === undefined ? 30 + faultSeconds : 0
  const running = await startClients(gateways.gateways, { limiter, count: clients, seconds: ofObjects, draw })
  const done = await injectFaults(gateways, faults, faultSeconds, makeDraw(seed + 1))
  const histories = await running.stop()
  return { ...judgeHistories(histories), histories, done, means: gateways.isolated.means }
}

/** A PRNG (mulberry32). */
function makeDraw(from: number): Draw {
  let state = from
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}
