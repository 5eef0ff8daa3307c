/**
 * Every property on one store, as a list of runs. Properties of counters use the store's counters; properties of whole
 * requests use an engine on the store. Nodes are several stores on the same data, if the harness supports them.
 * Properties 3, 4 and 5 are about textbook limiters, which keep their state in the store's records
 * (`stored-limiters.ts`).
 */

import type { RateAlgorithm, Store } from '@turnpike/core/ports'
import fc from 'fast-check'
import { rateCases } from '../arbitraries/rate-cases.ts'
import { aFunction, anObjectWith, checkOptions } from '../check-input.ts'
import { limiterProperties } from './limiter-properties.ts'
import { type CheckOptions, checkProperty, type Property, type PropertyRun } from './property.ts'
import { rollingLogProperty } from './property-01-rolling-log.ts'
import { fixedWindowProperty, worstTrailing } from './property-02-fixed-window.ts'
import { slidingCounterProperty } from './property-03-sliding-counter.ts'
import { flowProperty } from './property-04-flow.ts'
import { equivalenceProperty } from './property-05-equivalence.ts'
import { monotonicityProperty } from './property-07-monotonicity.ts'
import { quotaConservationProperty } from './property-11-quota-conservation.ts'
import { linearizabilityProperty, simultaneousQuota, simultaneousRate } from './property-12-linearizability.ts'
import { clusterBoundProperty, sharedRate } from './property-13-cluster-bound.ts'
import { crashProperty } from './property-14-refinement-crash.ts'
import { type EngineReloadsOptions, engineReloads, oneNodeReloadProperty } from './property-14-refinement-reload.ts'
import { batchProperty } from './property-15-batch.ts'
import { orderProperty } from './property-16-order.ts'
import { keysProperty } from './property-17-keys.ts'
import { keysAcrossNodesProperty } from './property-17-keys-several-nodes.ts'
import { singleUseProperty } from './property-18-single-use.ts'
import { cacheProperty } from './property-19-cache.ts'
import { groupReloadProperty } from './property-20-convergence.ts'
import { throttlingProperty } from './property-21-throttling.ts'
import { smoothingProperty } from './property-22-smoothing.ts'
import { makeStoreEnvironments, type OpenEnvironment, type StoreEnvironment } from './store-environments.ts'
import { checkHarness, type StoreHarness } from './store-harness.ts'
import { uniqueCounterName } from './subject-counters.ts'
import { engineBatches } from './subjects/batch-subject.ts'
import { engineCache } from './subjects/cache-subject.ts'
import { rateOnStore, type StoreRateOptions } from './subjects/compatible-rates.ts'
import { engineGroup } from './subjects/group-subject.ts'
import { engineKeyNodes } from './subjects/key-nodes-subject.ts'
import { engineKeys } from './subjects/keys-subject.ts'
import { killedStore } from './subjects/killed-store.ts'
import type { ManagementUnderTest } from './subjects/management-under-test.ts'
import { engineCodes, engineRefreshTokens } from './subjects/oauth-subjects.ts'
import { engineOrder } from './subjects/order-subject.ts'
import { quotaOnStore } from './subjects/quota-subject.ts'
import type { RateSubject } from './subjects/rate-subject.ts'
import { singleUseRecords } from './subjects/single-use-records.ts'
import { smoothedRateOnStore } from './subjects/smoothed-rates.ts'
import { keepInRecords } from './subjects/stored-limiters.ts'
import { keptFlows, keptSlidingCounter } from './subjects/textbook-rates.ts'
import { engineThrottling } from './subjects/throttling-subject.ts'

export interface StorePropertiesOptions {
  /** Additional work when definitions are reloaded; for mutants. */
  readonly onReload?: NonNullable<EngineReloadsOptions['onReload']>
  /** Default: none, and no runs of batches, authorization codes and refresh tokens. */
  readonly management?: ManagementUnderTest | undefined
}

const nodesTogether = 3
const aManagement = anObjectWith('makeBatchEndpoint', 'makeOAuthServer')
const optionsFor = ({ isExpensive }: Pick<Property<never>, 'isExpensive'>, run: CheckOptions = {}): CheckOptions =>
  isExpensive === true ? { ...run, requests: Math.ceil((run.requests ?? 10_000) / 4) } : run
const algorithms = ['local', 'rolling', 'sentinel', 'fixed'] as const
const windowAlgorithms = ['local', 'rolling', 'fixed'] as const

/** A property on the stores of a harness. */
type StoreRun = (harness: StoreHarness) => PropertyRun

/** Makes the subject of a run. `open` opens the stores of the harness. */
type MakeSubject<S> = (open: OpenEnvironment, harness: StoreHarness) => S | Promise<S>

/** A run that opens what it needs and closes it again. */
function on<S>(property: Property<S>, name: string, subjectOf: MakeSubject<S>): StoreRun {
  return (harness) => ({
    property: `${property.number}, ${property.name}`,
    name,
    async run(run) {
      const environments = makeStoreEnvironments(harness)
      try {
        const subject = await subjectOf(environments.open, harness)
        return await checkProperty(property, subject, optionsFor(property, run))
      } finally {
        await environments.close()
      }
    },
  })
}

const rate =
  (algorithm: RateAlgorithm, more?: StoreRateOptions): MakeSubject<RateSubject> =>
  async (open, harness) =>
    rateOnStore(harness, await open(), algorithm, more)

/** A subject on the stores of several nodes. */
const onNodes =
  <S>(subjectOf: (environment: StoreEnvironment, stores: readonly Store[], harness: StoreHarness) => S) =>
  async (open: OpenEnvironment, harness: StoreHarness) => {
    const environment = await open()
    const stores = [environment.store]
    while (stores.length < nodesTogether) stores.push(await environment.another())
    return subjectOf(environment, stores, harness)
  }

const rateOfNodes = (algorithm: RateAlgorithm) =>
  onNodes((environment, stores, harness) => rateOnStore(harness, environment, algorithm, { nodes: countersIn(stores) }))
const quotaOfNodes = onNodes((environment, stores) => quotaOnStore(environment, countersIn(stores)))

/** Runs of rates, each on one counter. */
const rateRuns: readonly StoreRun[] = [
  on(rollingLogProperty, 'rolling', rate('rolling')),
  on(rollingLogProperty, 'rolling, one less', rate('rolling', { oneLess: true })),
  on(rollingLogProperty, 'rolling, with a quota', rate('rolling', { withQuota: true })),
  on(rollingLogProperty, 'rolling, nodes in turn', rateOfNodes('rolling')),
  on(fixedWindowProperty, 'fixed', rate('fixed')),
  on(fixedWindowProperty, 'local', rate('local')),
  on(fixedWindowProperty, 'fixed, nodes in turn', rateOfNodes('fixed')),
  on(slidingCounterProperty, 'sliding counter', async (open) => keptSlidingCounter(keepInRecords(await open()))),
  ...['token bucket', 'leaky meter', 'gcra'].map((name) =>
    on(flowProperty, name, async (open) => found(keptFlows(keepInRecords(await open())), name)),
  ),
  on(equivalenceProperty, 'flows', async (open) => ({
    name: 'flows',
    members: keptFlows(keepInRecords(await open())),
  })),
  ...limiterProperties.flatMap((property) =>
    // A sentinel with a higher limit may admit fewer requests, so property 7 does not apply to it.
    algorithms
      .filter((algorithm) => property !== monotonicityProperty || algorithm !== 'sentinel')
      .map((algorithm) => on(property, algorithm, rate(algorithm))),
  ),
]

/** Runs of quotas, and of requests that several clients or nodes send at once. */
const concurrentRuns: readonly StoreRun[] = [
  on(quotaConservationProperty, 'quota', async (open) => quotaOnStore(await open())),
  on(quotaConservationProperty, 'quota, nodes in turn', quotaOfNodes),
  ...algorithms.map((algorithm) =>
    on(linearizabilityProperty, algorithm, async (...given) => simultaneousRate(await rate(algorithm)(...given))),
  ),
  on(linearizabilityProperty, 'rolling, nodes at once', async (...given) =>
    simultaneousRate(await rateOfNodes('rolling')(...given)),
  ),
  on(linearizabilityProperty, 'quota', async (open) => simultaneousQuota(quotaOnStore(await open()))),
  on(linearizabilityProperty, 'quota, nodes at once', async (...given) =>
    simultaneousQuota(await quotaOfNodes(...given)),
  ),
  ...windowAlgorithms.map((algorithm) =>
    on(clusterBoundProperty, `${algorithm}, nodes at once`, (open) =>
      sharedRate(algorithm, (nodes) => groupOf(open, nodes)),
    ),
  ),
]

/** Runs of crashes: between commands if the harness has them, and of the process if counters are durable. */
function crashRuns({ crash, isDurable }: StoreHarness): readonly StoreRun[] {
  const byCommands = crash === undefined ? [] : [on(crashProperty, 'cut off between commands', () => crash)]
  return isDurable === true ? [...byCommands, on(crashProperty, 'killed', killedStore)] : byCommands
}

/** Runs of whole requests through an engine, and of records that are used once. */
const requestRuns: readonly StoreRun[] = [
  on(orderProperty, 'order', (open) => engineOrder('order', undefined, open)),
  on(keysProperty, 'keys', (open) => engineKeys('keys', { open })),
  on(keysProperty, 'hashed keys', (open) =>
    engineKeys('hashed keys', { open, hashKeys: true, hashFunction: 'sha256' }),
  ),
  on(keysAcrossNodesProperty, 'keys of several nodes', engineKeyNodes),
  on(singleUseProperty, 'nonces', async (open, { forgetsLateMs = 0 }) => {
    const environment = await open()
    return singleUseRecords(environment, [environment.store], forgetsLateMs)
  }),
  on(
    singleUseProperty,
    'nonces, nodes at once',
    onNodes((environment, stores, { forgetsLateMs = 0 }) => singleUseRecords(environment, stores, forgetsLateMs)),
  ),
  on(cacheProperty, 'cache_options', (open, { forgetsLateMs = 0 }) =>
    engineCache('cache_options', { open, forgetsLateMs }),
  ),
  on(cacheProperty, 'RFC 9111', (open, { forgetsLateMs = 0 }) =>
    engineCache('RFC 9111', { open, forgetsLateMs, mode: 'rfc9111' }),
  ),
  on(groupReloadProperty, 'group reloads', engineGroup),
  ...windowAlgorithms.map((algorithm) =>
    on(throttlingProperty, `${algorithm}, throttled`, (open) => engineThrottling(algorithm, { open })),
  ),
]

/** Runs of whole requests through a management API's parts that are attached to an engine. */
function managementRuns({ makeBatchEndpoint, makeOAuthServer }: ManagementUnderTest): readonly StoreRun[] {
  return [
    on(batchProperty, 'batches', (open) => engineBatches('batches', makeBatchEndpoint, { open })),
    on(singleUseProperty, 'authorization codes', (open, { forgetsLateMs = 0 }) =>
      engineCodes('codes', makeOAuthServer, undefined, { open, forgetsLateMs }),
    ),
    on(singleUseProperty, 'refresh tokens', (open, { forgetsLateMs = 0 }) =>
      engineRefreshTokens('tokens', makeOAuthServer, undefined, { open, forgetsLateMs }),
    ),
  ]
}

const smoothingRuns: readonly StoreRun[] = [
  ...(['rolling', 'sentinel'] as const).map((algorithm) =>
    on(smoothingProperty, `${algorithm}, smoothed`, async (open) => smoothedRateOnStore(await open(), algorithm)),
  ),
  on(
    smoothingProperty,
    'rolling, smoothed, nodes in turn',
    onNodes((environment, stores) => smoothedRateOnStore(environment, 'rolling', countersIn(stores))),
  ),
]

/** Returns a run of every property on this store. Each run opens what it needs and closes it again. */
export function storeProperties(harness: StoreHarness, options: StorePropertiesOptions = {}): readonly PropertyRun[] {
  const { management, onReload } = options
  checkHarness('storeProperties', harness)
  checkOptions('storeProperties', options, { onReload: aFunction, management: aManagement })
  const reloads = on(oneNodeReloadProperty, 'reloads', (open) =>
    engineReloads('reloads', { open, ...(onReload !== undefined && { onReload }) }),
  )
  const ofManagement = management === undefined ? [] : managementRuns(management)
  const ofRequests = [reloads, ...requestRuns, ...ofManagement]
  const runs = [...rateRuns, ...concurrentRuns, ...crashRuns(harness), ...ofRequests, ...smoothingRuns]
  return runs.map((run) => run(harness))
}

/**
 * Returns the maximum number of requests that any window of a fixed rate of 5 admits on this store. Property 2 allows
 * twice the rate.
 */
export async function worstFixedWindow(harness: StoreHarness): Promise<number> {
  const environments = makeStoreEnvironments(harness)
  try {
    const cases = fc.sample(rateCases(), { numRuns: 40, seed: 1 })
    return await worstTrailing(rateOnStore(harness, await environments.open(), 'fixed'), 5, cases)
  } finally {
    await environments.close()
  }
}

const countersIn = (stores: readonly Store[]) => stores.map(({ counters }) => counters)

function found<S extends { readonly name: string }>(subjects: readonly S[], name: string): S {
  const one = subjects.find((subject) => subject.name === name)
  if (one === undefined) throw new Error(`there is no subject ${name}`)
  return one
}

/** Opens new stores of this many nodes for each case. The name fits the default algorithm. */
async function groupOf(open: OpenEnvironment, nodes: number) {
  const environment = await open()
  const counters = await Promise.all(
    Array.from({ length: nodes }, async () => (await environment.another(nodes)).counters),
  )
  return { counters, name: `${uniqueCounterName('rate')}:1`, moveTo: environment.moveTo }
}
