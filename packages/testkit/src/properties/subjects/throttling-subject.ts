/** Subject of property 21: requests to an engine with a throttled key. */
import { type CounterStore, collectResponse, defaultSettings, type Millis, makeInjectedRequest } from '@turnpike/core'
import { virtualEpoch } from '../../virtual-clock.ts'
import { makeTestEngine, type OpenStore } from './test-engine.ts'

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

const definition = {
  api_id: 'throttled',
  name: 'throttled',
  org_id: 'org1',
  active: true,
  auth: { auth_header_name: 'Authorization' },
  version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
  proxy: { listen_path: '/throttled/', target_url: 'http://upstream.test', strip_listen_path: true },
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
      const { engine, clock, store } = await makeTestEngine({
        definitions: [definition],
        keys: { org1throttledkey: sessionOf(change(limit)) },
        settings: { limits: { ...defaultSettings.limits, algorithm } },
        store: (real) => (counters === undefined ? real : { ...real, counters: counters(real.counters) }),
        open,
      })
      const responses: ThrottledResponse[] = []
      for (const [index, time] of times.entries()) {
        await clock.run(virtualEpoch + time - clock.now())
        void send(engine.handle, () => clock.now()).then((response) => {
          responses[index] = response
        })
      }
      await clock.run((limit.throttleRetryLimit + 2) * limit.throttleIntervalSeconds * 1000)
      const quota = await store.counters.readQuota({
        subject: 'org1throttledkey',
        kind: 'key',
        scope: '',
        endpoint: '',
      })
      return { responses, quotaUsed: quota?.used ?? 0 }
    },
  }
}

async function send(
  handle: (request: ReturnType<typeof makeInjectedRequest>) => unknown,
  now: () => Millis,
): Promise<ThrottledResponse> {
  const startedAt = now()
  const answer = (await handle(
    makeInjectedRequest({ url: '/throttled/x', headers: { authorization: 'org1throttledkey' } }),
  )) as Parameters<typeof collectResponse>[0]
  const { status } = await collectResponse(answer)
  return { status, afterMs: now() - startedAt }
}

function sessionOf(limit: ThrottledLimit): object {
  return {
    org_id: 'org1',
    rate: limit.rate,
    per: limit.per,
    quota_max: limit.quotaMax,
    quota_renewal_rate: -1,
    throttle_interval: limit.throttleIntervalSeconds,
    throttle_retry_limit: limit.throttleRetryLimit,
    access_rights: { throttled: { api_id: 'throttled', versions: ['Default'] } },
  }
}
