/** Subject of property 21: requests to an engine with a throttled key. */
import { collectResponse, makeInjectedRequest } from '@turnpike/core/engine'
import type { Millis } from '@turnpike/core/lib'
import { type CounterStore, defaultSettings } from '@turnpike/core/ports'
import { virtualEpoch } from '../../virtual-clock.ts'
import { plainCounter } from '../plain-counters.ts'
import { accessTo, makeTestEngine, type OpenStore, type TestEngine, testDefinition } from './test-engine.ts'

export interface ThrottledLimit {
  readonly rate: number
  /** Window in whole seconds. */
  readonly per: number
  readonly quotaMax: number
  readonly throttleIntervalSeconds: number
  readonly throttleRetryLimit: number
}

export interface ThrottledResponse {
  readonly status: number
  /** Time between the request and its response. */
  readonly afterMs: Millis
}

export interface ThrottlingSubject {
  readonly name: string
  readonly algorithm: 'local' | 'rolling' | 'fixed'
  /** Sends requests with a new key, at times in ms after `virtualEpoch` in ascending order. */
  play(
    limit: ThrottledLimit,
    times: readonly Millis[],
  ): Promise<{ readonly responses: readonly ThrottledResponse[]; readonly quotaUsed: number }>
}

export interface EngineThrottlingOptions {
  /** Changes the limits that the key gets; mutants use it. */
  readonly change?: (limit: ThrottledLimit) => ThrottledLimit
  /** Wraps the counters; mutants use it. */
  readonly counters?: (counters: CounterStore) => CounterStore
  /** Default: a memory store. */
  readonly open?: OpenStore
}

/** The engine with this algorithm. */
export function engineThrottling(
  algorithm: ThrottlingSubject['algorithm'],
  { change = (limit) => limit, counters, open }: EngineThrottlingOptions = {},
): ThrottlingSubject {
  return {
    name: `${algorithm}, throttled`,
    algorithm,
    async play(limit, times) {
      const started = await makeTestEngine({
        definitions: [testDefinition('throttled')],
        keys: { org1throttledkey: sessionOf(change(limit)) },
        settings: { limits: { ...defaultSettings.limits, algorithm } },
        store: (real) => (counters === undefined ? real : { ...real, counters: counters(real.counters) }),
        open,
      })
      const { clock, store } = started
      const responses: ThrottledResponse[] = []
      for (const [index, time] of times.entries()) {
        await clock.run(virtualEpoch + time - clock.now())
        void send(started).then((response) => {
          responses[index] = response
        })
      }
      await clock.run((limit.throttleRetryLimit + 2) * limit.throttleIntervalSeconds * 1000)
      const quota = await store.counters.readQuota(plainCounter('org1throttledkey'))
      return { responses, quotaUsed: quota?.used ?? 0 }
    },
  }
}

async function send({ engine, clock }: TestEngine): Promise<ThrottledResponse> {
  const startedAt = clock.now()
  const request = makeInjectedRequest({ url: '/throttled/x', headers: { authorization: 'org1throttledkey' } })
  const { status } = await collectResponse(await engine.handle(request))
  return { status, afterMs: clock.now() - startedAt }
}

function sessionOf(limit: ThrottledLimit): object {
  return {
    ...accessTo('throttled'),
    rate: limit.rate,
    per: limit.per,
    quota_max: limit.quotaMax,
    quota_renewal_rate: -1,
    throttle_interval: limit.throttleIntervalSeconds,
    throttle_retry_limit: limit.throttleRetryLimit,
  }
}
