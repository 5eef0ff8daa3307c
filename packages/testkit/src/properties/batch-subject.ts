/**
 * What the property of batches is about: one API that takes batches beside others that must not be reached, and two keys
 * that soon run out. `engineBatches` puts the engine under it.
 */
import { headerOf, makeInjectedRequest, type ReadAnswer, readAnswer, type Store } from '@turnpike/core'
import { type BatchSettings, defaultBatchSettings, makeBatchEndpoint } from '@turnpike/mgmt-api'
import { type BatchAsk, upstreamWords } from '../arbitraries/batch-cases.ts'
import type { Scripted } from '../fakes/fake-upstream.ts'
import { consumeRate, plainCounter } from './plain-counters.ts'
import { makeTestEngine, type OpenStore, type TestEngine } from './test-engine.ts'

/** What a client sees of one request. A redirect that leaves the API has status 0 in a batch. */
export interface BatchSeen {
  readonly status: number
  readonly body: string
}

/** A gateway on which nothing was counted yet. */
export interface BatchUnderTest {
  /** Sends a batch; answers with what it saw of each item, in the order of the replies. */
  batch(asks: readonly BatchAsk[], inOrder: boolean): Promise<readonly (BatchSeen & { readonly relativeUrl: string })[]>
  /** Sends one of them as a request of a client, below the listen path. */
  single(ask: BatchAsk): Promise<BatchSeen & { readonly isRedirect: boolean }>
  /** Upstream and request of each call so far: `http://host POST /path body`. */
  asked(): readonly string[]
  /** What each counter stands at, by any name. */
  counters(): Promise<Readonly<Record<string, number>>>
}

export interface BatchSubject {
  readonly name: string
  /** Upstream of the API; no item may reach another. */
  readonly upstream: string
  make(): Promise<BatchUnderTest>
}

const upstreamOf = (id: string) => `http://${id}.upstream.test`

function definition(id: string, listenPath: string, more: object = {}) {
  return {
    name: id,
    api_id: id,
    org_id: 'org1',
    active: true,
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: listenPath, target_url: upstreamOf(id), strip_listen_path: true },
    ...more,
  }
}

/** The API of the property and one beside it. */
const definitions = [
  definition('law-15', '/law-15/', {
    enable_batch_request_support: true,
    auth: { auth_header_name: 'Authorization' },
    global_rate_limit: { rate: 7, per: 60 },
  }),
  definition('law-15-other', '/law-15-other/', { use_keyless: true }),
]
const rights = { access_rights: { 'law-15': { api_id: 'law-15' } }, org_id: 'org1' }
const keys = {
  org1redkey: { ...rights, rate: 4, per: 60, quota_max: 3, quota_renewal_rate: 3600 },
  org1bluekey: { ...rights, rate: 1, per: 60, quota_max: 100, quota_renewal_rate: 3600 },
}

function script({ method, path, body }: { method: string; path: string; body: Uint8Array | undefined }): Scripted {
  const segments = path.split('?', 1)[0]?.split('/') ?? []
  if (segments.includes(upstreamWords.out)) return { status: 307, headers: ['location', '/law-15-other/x'] }
  if (segments.includes(upstreamWords.down)) return { fault: 'refused' }
  const text = `${method} ${path} ${body === undefined ? '' : new TextDecoder().decode(body)}`
  return segments.includes(upstreamWords.busy) ? { status: 503, body: text } : { body: text }
}

/** Sends a request to the gateway as a client would. */
export type SendToGateway = (
  method: string,
  url: string,
  headers: Record<string, string>,
  body: string,
) => Promise<ReadAnswer>

export interface EngineBatchesOptions {
  readonly limits?: Partial<BatchSettings>
  /** Default: a store in memory. */
  readonly open?: OpenStore
  /** Puts something around the store; for mutants. */
  readonly store?: (store: Store) => Store
  /** Another batch endpoint, made of the real one and of requests; for faults. */
  readonly batch?: (real: BatchUnderTest, send: SendToGateway) => BatchUnderTest['batch']
}

/** The engine. */
export function engineBatches(name: string, options: EngineBatchesOptions = {}): BatchSubject {
  const { limits, open, store, batch } = options
  return {
    name,
    upstream: upstreamOf('law-15'),
    async make() {
      const attach = () => ({ endpoints: [makeBatchEndpoint({ ...defaultBatchSettings, ...limits })] })
      const started = await makeTestEngine({
        ...{ definitions, keys, attach, script, open },
        ...(store === undefined ? {} : { store }),
      })
      const send: SendToGateway = async (method, url, headers, body) =>
        readAnswer(await started.engine.handle(makeInjectedRequest({ method, url, headers, body })))
      const real = underTest(started, send)
      return batch === undefined ? real : { ...real, batch: batch(real, send) }
    },
  }
}

/** Headers of a request: its key. */
export function headersOfAsk({ key }: BatchAsk): Record<string, string> {
  return key === undefined ? {} : { Authorization: `${key}key` }
}

function underTest({ store, upstream }: TestEngine, send: SendToGateway): BatchUnderTest {
  return {
    async batch(asks, inOrder) {
      const requests = asks.map((ask) => ({
        method: ask.method,
        relative_url: ask.relativeUrl,
        headers: headersOfAsk(ask),
        body: ask.body,
      }))
      const call = JSON.stringify({ requests, suppress_parallel_execution: inOrder })
      const answer = await send('POST', '/law-15/svc/batch/', {}, call)
      if (answer.status !== 200) throw new Error(`the batch was answered ${answer.status} ${answer.text()}`)
      return answer
        .json<{ relative_url: string; code: number; body: string }[]>()
        .map(({ relative_url, code, body }) => ({ relativeUrl: relative_url, status: code, body }))
    },
    async single(ask) {
      const answer = await send(ask.method, `/law-15/${ask.meant}`, headersOfAsk(ask), ask.body)
      const isRedirect = headerOf(answer.pairs, 'location') !== undefined
      return { status: answer.status, body: answer.text(), isRedirect }
    },
    asked: () =>
      upstream.asked.map(
        ({ origin, method, path, body }) => `${origin} ${method} ${path} ${new TextDecoder().decode(body)}`,
      ),
    async counters() {
      const state: Record<string, number> = {}
      for (const name of Object.keys(keys)) {
        state[`quota of ${name}`] = (await store.counters.readQuota(plainCounter(name)))?.used ?? 0
      }
      for (const [name, rate] of Object.entries({ org1redkey: 4, org1bluekey: 1 })) {
        const limit = { algorithm: 'local', rate, per: 60, smoothing: undefined, oneLess: false } as const
        state[`rate of ${name}`] = (await consumeRate(store.counters, name, limit, 0)).remaining
      }
      return state
    },
  }
}
