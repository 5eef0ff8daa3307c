/**
 * The counters of one store as subjects of properties. All cases share the store, and each set of counters has its own
 * names.
 */
import {
  type CounterStore,
  type Maybe,
  type Millis,
  type RateAlgorithm,
  type RateLimit,
  type RateResult,
  when,
} from '@turnpike/core'
import { consumeQuota, consumeRate, plainCounter, rateCounter } from './plain-counters.ts'
import { afterTravel, type StoreEnvironment } from './store-environments.ts'
import type { StoreHarness } from './store-harness.ts'
import { compatibleRate } from './subjects/compatible-rates.ts'
import type { QuotaSubject } from './subjects/quota-subject.ts'
import type { RateSubject } from './subjects/rate-subject.ts'

let serial = 0

/** Returns a name under which nothing has been counted. */
export function uniqueCounterName(stem: string): string {
  serial += 1
  return `${stem}-counter${serial}`
}

export interface StoreRateOptions {
  readonly oneLess?: boolean
  /** Calls several stores in turn, as nodes do. Default: only the first. */
  readonly nodes?: readonly CounterStore[]
  /** Counts a quota with each rate. */
  readonly withQuota?: boolean
}

const boundless = { max: 1e9, renewalSeconds: 3600 }

/** A compatible algorithm of this store. */
export function rateOnStore(
  { stepBackMs = {} }: Pick<StoreHarness, 'stepBackMs'>,
  environment: StoreEnvironment,
  algorithm: RateAlgorithm,
  { oneLess = false, nodes = [environment.store.counters], withQuota = false }: StoreRateOptions = {},
): RateSubject {
  const recorded = compatibleRate(algorithm, { oneLess })
  const ownStep = algorithm === 'local' ? undefined : stepBackMs[algorithm]
  let turn = 0
  return {
    name: [
      recorded.name,
      ...(nodes.length > 1 ? [`${nodes.length} nodes`] : []),
      ...(withQuota ? ['with a quota'] : []),
    ].join(', '),
    traits: ownStep === undefined ? recorded.traits : { ...recorded.traits, stepBackMs: ownStep },
    make({ rate, per }) {
      const prefix = uniqueCounterName(algorithm)
      const limit: RateLimit = { algorithm, rate, per, smoothing: undefined, oneLess }
      return {
        take: (key, at, amount) =>
          afterTravel(environment.moveTo(at), () => {
            turn = (turn + 1) % nodes.length
            const counters = nodes[turn] as CounterStore
            const subject = `${prefix}-${key}`
            return withQuota
              ? consumeWithQuota(counters, subject, limit, amount)
              : consumeRate(counters, subject, limit, amount)
          }),
      }
    },
  }
}

function consumeWithQuota(
  counters: CounterStore,
  subject: string,
  limit: RateLimit,
  amount: number,
): Maybe<RateResult> {
  const counter = { ...rateCounter(subject, limit), quota: boundless }
  return when(counters.consume(counter, amount), ({ rate }) => rate as RateResult)
}

/** The quota of this store. `nodes`: calls several stores in turn. */
export function quotaOnStore(
  environment: StoreEnvironment,
  nodes: readonly CounterStore[] = [environment.store.counters],
): QuotaSubject {
  let turn = 0
  return {
    name: nodes.length > 1 ? `quota, ${nodes.length} nodes` : 'quota',
    counted: 'all',
    make() {
      const prefix = uniqueCounterName('quota')
      const next = () => {
        turn = (turn + 1) % nodes.length
        return nodes[turn] as CounterStore
      }
      const at = <T>(instant: Millis, ask: (counters: CounterStore) => Maybe<T>): Maybe<T> =>
        afterTravel(environment.moveTo(instant), () => ask(next()))
      return {
        spend: (name, instant, limit, amount) =>
          at(instant, (counters) => consumeQuota(counters, `${prefix}-${name}`, limit, amount)),
        read: (name, instant) => at(instant, (counters) => counters.readQuota(plainCounter(`${prefix}-${name}`))),
        reset: (name, instant) => at(instant, (counters) => counters.resetQuotas([plainCounter(`${prefix}-${name}`)])),
      }
    },
  }
}
