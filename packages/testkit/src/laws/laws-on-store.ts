/**
 * Every law of the gateway on one store, as a list of runs: laws of counters on the store's own counters, laws of whole
 * requests on an engine over the store. Where a law speaks of nodes, they are several stores on the same data, if there
 * can be such. Laws 3, 4 and 5 are about limiters of the textbooks, which no store has as verbs: their state lies in the
 * store's records (`stored-limiters.ts`).
 */
import type { RateAlgorithm } from '@turnpike/core'
import fc from 'fast-check'
import { rateCases } from '../arbitraries/rate-cases.ts'
import { engineBatches } from './batch-subject.ts'
import { engineGroup } from './group-subject.ts'
import { engineKeyNodes } from './key-nodes-subject.ts'
import { engineKeys } from './keys-subject.ts'
import { type LawWorld, makeLabBench, type OpenWorld } from './lab-bench.ts'
import { type Law, type LawRun, runLaw } from './law.ts'
import { rollingLogLaw } from './law-01-rolling-log.ts'
import { fixedWindowLaw, worstTrailing } from './law-02-fixed-window.ts'
import { slidingCounterLaw } from './law-03-sliding-counter.ts'
import { flowLaw } from './law-04-flow.ts'
import { equivalenceLaw } from './law-05-equivalence.ts'
import { noStarvationLaw } from './law-06-no-starvation.ts'
import { monotonicityLaw } from './law-07-monotonicity.ts'
import { nonInterferenceLaw } from './law-08-non-interference.ts'
import { timeLaw } from './law-09-time.ts'
import { headersLaw } from './law-10-headers.ts'
import { quotaConservationLaw } from './law-11-quota-conservation.ts'
import { simultaneousLaw, simultaneousQuota, simultaneousRate } from './law-12-simultaneous.ts'
import { sharedRate, sharedStoreLaw } from './law-13-shared-store.ts'
import { crashLaw } from './law-14-crash.ts'
import { killedStore } from './law-14-killed-store.ts'
import { type EngineReloadsOptions, engineReloads, oneNodeReloadLaw } from './law-14-one-node-reload.ts'
import { batchLaw } from './law-15-batch.ts'
import { orderLaw } from './law-16-order.ts'
import { keysLaw } from './law-17-keys.ts'
import { keysOfNodesLaw } from './law-17-keys-of-nodes.ts'
import { recordsSpentOnce } from './law-18-records.ts'
import { spentOnceLaw } from './law-18-spent-once.ts'
import { cacheLaw } from './law-19-cache.ts'
import { engineCache } from './law-19-cache-subject.ts'
import { groupReloadLaw } from './law-20-group.ts'
import { engineCodes, engineRefreshTokens } from './oauth-subjects.ts'
import { engineOrder } from './order-subject.ts'
import type { SoundRun } from './sound-runs.ts'
import { freshCounter, quotaOnStore, rateOnStore, type StoreRateOptions } from './store-counters.ts'
import type { StoreLab } from './store-lab.ts'
import { flowsOnStore, slidingOnStore } from './stored-limiters.ts'

export interface LawsOnStoreOptions {
  /** What else happens when definitions are loaded anew; for faults. */
  readonly onReload?: NonNullable<EngineReloadsOptions['onReload']>
}

const nodesTogether = 3
/** Whole requests each ask several verbs, and begin with an engine of their own: a quarter of them tells as much. */
const wholeFrom = 14
const fewer = (run: LawRun = {}, number: number): LawRun =>
  number < wholeFrom ? run : { ...run, requests: Math.ceil((run.requests ?? 10_000) / 4) }
const algorithms = ['local', 'rolling', 'sentinel', 'fixed'] as const

/** Every law on this store. A run opens what it needs and closes it again. */
export function lawsOnStore(lab: StoreLab, options: LawsOnStoreOptions = {}): readonly SoundRun[] {
  const on = <S>(law: Law<S>, name: string, subjectOf: (open: OpenWorld) => S | Promise<S>): SoundRun => ({
    law: `${law.number}, ${law.name}`,
    name,
    async run(run) {
      const bench = makeLabBench(lab)
      try {
        return await runLaw(law, await subjectOf(bench.open), fewer(run, law.number))
      } finally {
        await bench.close()
      }
    },
  })
  const rate = (algorithm: RateAlgorithm, more?: StoreRateOptions) => async (open: OpenWorld) =>
    rateOnStore(lab, await open(), algorithm, more)
  const crowdedRate = (algorithm: RateAlgorithm, more?: StoreRateOptions) => async (open: OpenWorld) =>
    simultaneousRate(await rate(algorithm, more)(open))
  const nodesOf = async (world: LawWorld) => {
    const nodes = [world.store.counters]
    while (nodes.length < nodesTogether) nodes.push((await world.another()).counters)
    return nodes
  }
  const rateOfNodes = (algorithm: RateAlgorithm) => async (open: OpenWorld) => {
    const world = await open()
    return rateOnStore(lab, world, algorithm, { nodes: await nodesOf(world) })
  }
  const { forgetsLateMs = 0 } = lab

  return [
    on(rollingLogLaw, 'rolling', rate('rolling')),
    on(rollingLogLaw, 'rolling, one less', rate('rolling', { oneLess: true })),
    on(rollingLogLaw, 'rolling, with a quota', rate('rolling', { withQuota: true })),
    on(rollingLogLaw, 'rolling, nodes in turn', rateOfNodes('rolling')),
    on(fixedWindowLaw, 'fixed', rate('fixed')),
    on(fixedWindowLaw, 'local', rate('local')),
    on(fixedWindowLaw, 'fixed, nodes in turn', rateOfNodes('fixed')),
    on(slidingCounterLaw, 'sliding counter', async (open) => slidingOnStore(await open())),
    ...['token bucket', 'leaky meter', 'gcra'].map((name) =>
      on(flowLaw, name, async (open) => found(flowsOnStore(await open()), name)),
    ),
    on(equivalenceLaw, 'flows', async (open) => ({ name: 'flows', members: flowsOnStore(await open()) })),
    ...[noStarvationLaw, monotonicityLaw, nonInterferenceLaw, timeLaw, headersLaw].flatMap((law) =>
      // A sentinel that opens later may admit fewer: it claims no monotonicity.
      algorithms
        .filter((algorithm) => law !== monotonicityLaw || algorithm !== 'sentinel')
        .map((algorithm) => on(law, algorithm, rate(algorithm))),
    ),
    on(quotaConservationLaw, 'quota', async (open) => quotaOnStore(await open())),
    on(quotaConservationLaw, 'quota, nodes in turn', async (open) => {
      const world = await open()
      return quotaOnStore(world, await nodesOf(world))
    }),
    ...algorithms.map((algorithm) => on(simultaneousLaw, algorithm, crowdedRate(algorithm))),
    on(simultaneousLaw, 'rolling, nodes at once', async (open) => simultaneousRate(await rateOfNodes('rolling')(open))),
    on(simultaneousLaw, 'quota', async (open) => simultaneousQuota(quotaOnStore(await open()))),
    on(simultaneousLaw, 'quota, nodes at once', async (open) => {
      const world = await open()
      return simultaneousQuota(quotaOnStore(world, await nodesOf(world)))
    }),
    ...(['local', 'rolling', 'fixed'] as const).map((algorithm) =>
      on(sharedStoreLaw, `${algorithm}, nodes at once`, (open) =>
        sharedRate(algorithm, (nodes) => groupOf(open, nodes)),
      ),
    ),
    ...crashRuns(),
    on(oneNodeReloadLaw, 'reloads', (open) => engineReloads('reloads', { open, ...options })),
    on(batchLaw, 'batches', (open) => engineBatches('batches', { open })),
    on(orderLaw, 'order', (open) => engineOrder('order', undefined, open)),
    on(keysLaw, 'keys', (open) => engineKeys('keys', { open })),
    on(keysLaw, 'hashed keys', (open) => engineKeys('hashed keys', { open, hashKeys: true, hashFunction: 'sha256' })),
    on(keysOfNodesLaw, 'keys of several nodes', engineKeyNodes),
    on(spentOnceLaw, 'authorisation codes', (open) => engineCodes('codes', undefined, { open, forgetsLateMs })),
    on(spentOnceLaw, 'refresh tokens', (open) => engineRefreshTokens('tokens', undefined, { open, forgetsLateMs })),
    on(spentOnceLaw, 'nonces', (open) => recordsSpentOnce(open, { forgetsLateMs })),
    on(spentOnceLaw, 'nonces, nodes at once', (open) =>
      recordsSpentOnce(open, { forgetsLateMs, nodes: nodesTogether }),
    ),
    on(cacheLaw, 'cache_options', (open) => engineCache('cache_options', { open, forgetsLateMs })),
    on(cacheLaw, 'RFC 9111', (open) => engineCache('RFC 9111', { open, forgetsLateMs, mode: 'rfc9111' })),
    on(groupReloadLaw, 'group reloads', engineGroup),
  ]

  /** By commands where the store says how; by killing it where it leaves something behind. */
  function crashRuns(): SoundRun[] {
    const { crash } = lab
    const byCommands = crash === undefined ? [] : [on(crashLaw, 'cut off between commands', () => crash)]
    return lab.isDurable === true ? [...byCommands, on(crashLaw, 'killed', killedStore)] : byCommands
  }
}

/** The most requests that any window of a fixed rate of 5 is found to admit on this store: law 2 says twice as many. */
export async function worstFixedWindow(lab: StoreLab): Promise<number> {
  const bench = makeLabBench(lab)
  try {
    const cases = fc.sample(rateCases(), { numRuns: 40, seed: 1 })
    return await worstTrailing(rateOnStore(lab, await bench.open(), 'fixed'), 5, cases)
  } finally {
    await bench.close()
  }
}

function found<S extends { readonly name: string }>(subjects: readonly S[], name: string): S {
  const one = subjects.find((subject) => subject.name === name)
  if (one === undefined) throw new Error(`there is no subject ${name}`)
  return one
}

/** Stores of as many nodes, fresh for each case, and a name that fits the default algorithm. */
async function groupOf(open: OpenWorld, nodes: number) {
  const world = await open()
  const counters = await Promise.all(Array.from({ length: nodes }, async () => (await world.another(nodes)).counters))
  return { counters, name: `${freshCounter('rate')}:1`, travelTo: world.travelTo }
}
