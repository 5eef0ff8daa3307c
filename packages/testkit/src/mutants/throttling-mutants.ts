/** Mutants of throttling and smoothing. */
import type { Counter, CounterStore, QuotaLimit, Smoothing } from '@turnpike/core/ports'
import { throttlingProperty } from '../properties/property-21-throttling.ts'
import { smoothingProperty } from '../properties/property-22-smoothing.ts'
import { type SmoothedLimit, type SmoothedSubject, smoothedRate } from '../properties/subjects/smoothed-rates.ts'
import { type EngineThrottlingOptions, engineThrottling } from '../properties/subjects/throttling-subject.ts'
import { answerChanged, type Mutant, makeMutant } from './mutant.ts'

const throttling = (name: string, algorithm: 'local' | 'rolling' | 'fixed', options: EngineThrottlingOptions): Mutant =>
  makeMutant(`throttling: ${name}`, throttlingProperty, engineThrottling(algorithm, options))

/** A waiting request checks the rate without its quota. */
const isCheck = (counter: Counter) => counter.quota === undefined

/** Wraps `consume`. `afterCheck` is true for the call that follows a check with room. */
const consuming =
  (
    change: (
      counters: CounterStore,
      counter: Counter,
      amount: number,
      afterCheck: boolean,
    ) => ReturnType<CounterStore['consume']>,
  ) =>
  (counters: CounterStore): CounterStore => {
    let afterCheck = false
    return {
      ...counters,
      async consume(counter, amount) {
        const result = await change(counters, counter, amount, afterCheck && !isCheck(counter))
        afterCheck = isCheck(counter) && result.rate?.allowed === true
        return result
      },
    }
  }

/** A counter under a limit with these changes. */
const smoothing = (
  name: string,
  change: (limit: SmoothedLimit) => { readonly rate?: number; readonly smoothing?: Partial<Smoothing> },
  algorithm: 'rolling' | 'sentinel' = 'rolling',
) => {
  const changed = (limit: SmoothedLimit): SmoothedLimit => {
    const { rate = limit.rate, smoothing: changes } = change(limit)
    return { ...limit, rate, smoothing: { ...limit.smoothing, ...changes } }
  }
  return makeMutant(`smoothing: ${name}`, smoothingProperty, smoothedRate(algorithm, changed))
}

const silentChanges: SmoothedSubject = {
  ...smoothedRate('rolling'),
  make(limit) {
    const consume = smoothedRate('rolling').make(limit)
    return (at) => answerChanged(consume(at), ({ allowed, remaining, resetAt }) => ({ allowed, remaining, resetAt }))
  },
}

export const throttlingMutants: readonly Mutant[] = [
  throttling('gives up one retry early', 'local', {
    change: (limit) => ({ ...limit, throttleRetryLimit: limit.throttleRetryLimit - 1 }),
  }),
  throttling('waits twice as long', 'fixed', {
    change: (limit) => ({ ...limit, throttleIntervalSeconds: 2 * limit.throttleIntervalSeconds }),
  }),
  throttling('a check of the in-memory limiter counts', 'local', {
    counters: consuming((counters, counter, amount) => counters.consume(counter, Math.max(1, amount))),
  }),
  throttling('a check of the rolling window does not count', 'rolling', {
    counters: consuming((counters, counter, amount) => counters.consume(counter, isCheck(counter) ? 0 : amount)),
  }),
  throttling('an admitted retry does not count against the rate', 'fixed', {
    counters: consuming((counters, counter, amount, afterCheck) =>
      counters.consume(afterCheck ? { ...counter, rate: undefined } : counter, amount),
    ),
  }),
  throttling('an admitted retry uses the quota twice', 'local', {
    counters: consuming(async (counters, counter, amount, afterCheck) => {
      if (afterCheck) await counters.consume({ ...counter, rate: undefined }, amount)
      return counters.consume(counter, amount)
    }),
  }),
  throttling('each check uses the quota', 'rolling', { counters: chargedChecks }),
  smoothing('begins at the rate', ({ rate }) => ({ smoothing: { threshold: rate } })),
  smoothing('changes twice as often', ({ smoothing: { delay } }) => ({ smoothing: { delay: delay / 2 } })),
  smoothing('steps are twice as large', ({ smoothing: { step } }) => ({ smoothing: { step: 2 * step } })),
  smoothing('rises above the rate', ({ rate, smoothing: { step } }) => ({ rate: rate + step })),
  smoothing('the trigger is ignored', () => ({ smoothing: { trigger: 0.001 } })),
  smoothing(
    'the sentinel blocks one request late',
    ({ rate, smoothing: { threshold } }) => ({ rate: rate + 1, smoothing: { threshold: threshold + 1 } }),
    'sentinel',
  ),
  makeMutant('smoothing: changes are not reported', smoothingProperty, silentChanges),
]

function chargedChecks(counters: CounterStore): CounterStore {
  let quota: QuotaLimit | undefined
  return {
    ...counters,
    async consume(counter, amount) {
      quota = counter.quota ?? quota
      if (isCheck(counter)) await counters.consume({ ...counter, rate: undefined, quota }, amount)
      return counters.consume(counter, amount)
    },
  }
}
