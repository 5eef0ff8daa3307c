/**
 * Every law on the code as it is, in one list: what a planted fault is compared with. A law that finds a fault with
 * some seed must find nothing with the same seed where nothing was planted.
 */
import { engineBatches } from './batch-subject.ts'
import { commandedStore } from './commanded-store.ts'
import { engineKeys } from './keys-subject.ts'
import { type Law, type LawReport, type LawRun, runLaw } from './law.ts'
import { rollingLogLaw } from './law-01-rolling-log.ts'
import { fixedWindowLaw } from './law-02-fixed-window.ts'
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
import { crashLaw } from './law-14-crash.ts'
import { batchLaw } from './law-15-batch.ts'
import { orderLaw } from './law-16-order.ts'
import { keysLaw } from './law-17-keys.ts'
import { spentOnceLaw } from './law-18-spent-once.ts'
import { cacheLaw } from './law-19-cache.ts'
import { engineCache } from './law-19-cache-subject.ts'
import { engineCodes, engineRefreshTokens } from './oauth-subjects.ts'
import { engineOrder } from './order-subject.ts'
import { recordedQuota } from './quota-subject.ts'
import type { RateSubject } from './rate-subject.ts'
import { recordedRate, recordedRates } from './recorded-rates.ts'
import { flowRates, flows, plainLogRate, slidingCounter, slidingRate } from './textbook-rates.ts'

/** A law and something that keeps it. */
export interface SoundRun {
  /** Number and name of the law, as in `PlantedFault`. */
  readonly law: string
  /** What keeps it. */
  readonly name: string
  run(options?: LawRun): Promise<LawReport>
}

/** A law on one subject. */
export function soundRun<S extends { readonly name: string }>(law: Law<S>, subject: S): SoundRun {
  return { law: `${law.number}, ${law.name}`, name: subject.name, run: (options) => runLaw(law, subject, options) }
}

const everyRate = [...recordedRates, ...flowRates, slidingRate, plainLogRate]
const on = (law: Law<RateSubject>, subjects: readonly RateSubject[]) =>
  subjects.map((subject) => soundRun(law, subject))

/** Every law of one node on every subject of it that is said to keep it. */
export const soundRuns: readonly SoundRun[] = [
  ...on(rollingLogLaw, [recordedRate('rolling'), recordedRate('rolling', { oneLess: true }), plainLogRate]),
  ...on(fixedWindowLaw, [recordedRate('fixed'), recordedRate('local')]),
  soundRun(slidingCounterLaw, slidingCounter),
  ...flows.map((flow) => soundRun(flowLaw, flow)),
  soundRun(equivalenceLaw, { name: flows.map(({ name }) => name).join(', '), members: flows }),
  ...on(noStarvationLaw, everyRate),
  ...on(
    monotonicityLaw,
    everyRate.filter(({ traits }) => traits.monotone),
  ),
  ...on(nonInterferenceLaw, everyRate),
  ...on(timeLaw, everyRate),
  ...on(headersLaw, everyRate),
  soundRun(quotaConservationLaw, recordedQuota()),
  ...recordedRates.map((rate) => soundRun(simultaneousLaw, simultaneousRate(rate))),
  soundRun(simultaneousLaw, simultaneousQuota(recordedQuota())),
  soundRun(crashLaw, commandedStore('counting in one command')),
  soundRun(batchLaw, engineBatches('the engine')),
  soundRun(orderLaw, engineOrder('the engine')),
  soundRun(keysLaw, engineKeys('hashed keys', { hashKeys: true, hashFunction: 'sha256' })),
  soundRun(spentOnceLaw, engineCodes('authorisation codes')),
  soundRun(spentOnceLaw, engineRefreshTokens('refresh tokens')),
  soundRun(cacheLaw, engineCache('cache_options, in memory')),
  soundRun(cacheLaw, engineCache('RFC 9111, in memory', { mode: 'rfc9111' })),
]
