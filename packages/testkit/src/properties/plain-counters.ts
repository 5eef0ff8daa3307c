/** Counters of tests: with a rate or a quota alone, under a name. */
import { type Maybe, when } from '@turnpike/core/lib'
import {
  type Counter,
  type CounterId,
  type CounterStore,
  counterKey,
  type QuotaLimit,
  type QuotaResult,
  type RateLimit,
  type RateResult,
} from '@turnpike/core/ports'

/** The plain counter of a key. */
export function plainCounter(subject: string): CounterId {
  return { subject, kind: 'key', scope: '', endpoint: '' }
}

export function rateCounter(subject: string, rate: RateLimit): Counter {
  const id = plainCounter(subject)
  return { ...id, id: counterKey(id), generation: '', rate, quota: undefined }
}

export function quotaCounter(subject: string, quota: QuotaLimit): Counter {
  return { ...plainCounter(subject), id: counterKey(plainCounter(subject)), generation: '', rate: undefined, quota }
}

/** The same limits for another subject. */
export function withSubject(counter: Counter, subject: string): Counter {
  return { ...counter, subject, id: counterKey({ ...counter, subject }) }
}

export function consumeRate(
  counters: CounterStore,
  subject: string,
  limit: RateLimit,
  amount: number,
): Maybe<RateResult> {
  return when(counters.consume(rateCounter(subject, limit), amount), ({ rate }) => rate as RateResult)
}

export function consumeQuota(
  counters: CounterStore,
  subject: string,
  limit: QuotaLimit,
  amount: number,
): Maybe<QuotaResult> {
  return when(counters.consume(quotaCounter(subject, limit), amount), ({ quota }) => quota as QuotaResult)
}
