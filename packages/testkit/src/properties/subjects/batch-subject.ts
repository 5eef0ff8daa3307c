/**
 * The subject of property 15: an API with batch requests, another API that no item may reach, and two keys with small
 * limits. `engineBatches` implements it with the engine.
 */

import { type CollectedResponse, collectResponse, makeInjectedRequest } from '@turnpike/core/engine'
import { headerOf } from '@turnpike/core/http'
import type { Store } from '@turnpike/core/ports'
import { type BatchItem, upstreamSegments } from '../../arbitraries/batch-cases.ts'
import { aFunction, aText, checkInput, checkOptions } from '../../check-input.ts'
import type { Scripted } from '../../fakes/fake-upstream.ts'
import { consumeRate, plainCounter } from '../plain-counters.ts'
import type { ManagementUnderTest } from './management-under-test.ts'
import { accessTo, makeTestEngine, type OpenStore, type TestEngine, testDefinition } from './test-engine.ts'

/** The response to one item. In a batch, a redirect that leaves the API has status 0. */
export interface ItemResponse {
  readonly status: number
  readonly body: string
}

/** A gateway whose counters are empty. */
export interface BatchUnderTest {
  /** Sends a batch and returns the responses to its items, in the order of the replies. */
  batch(
    items: readonly BatchItem[],
    inOrder: boolean,
  ): Promise<readonly (ItemResponse & { readonly relativeUrl: string })[]>
  /** Sends one item as an ordinary request below the listen path. */
  single(item: BatchItem): Promise<ItemResponse & { readonly isRedirect: boolean }>
  /** The requests that upstreams received, as `http://host POST /path body`. */
  upstreamRequests(): readonly string[]
  /** The value of each counter, by an arbitrary name. */
  counters(): Promise<Readonly<Record<string, number>>>
}

export interface BatchSubject {
  readonly name: string
  /** Origin of the API's upstream. No item may reach another upstream. */
  readonly upstream: string
  make(): Promise<BatchUnderTest>
}

const upstreamOf = (id: string) => `http://${id}.upstream.test`

/** The API with batch requests, and another one. */
const definitions = [
  testDefinition(
    'batch-api',
    { enable_batch_request_support: true, global_rate_limit: { rate: 7, per: 60 } },
    upstreamOf('batch-api'),
  ),
  testDefinition('batch-api-other', { use_keyless: true }, upstreamOf('batch-api-other')),
]
const rights = accessTo('batch-api')
const keys = {
  org1redkey: { ...rights, rate: 4, per: 60, quota_max: 3, quota_renewal_rate: 3600 },
  org1bluekey: { ...rights, rate: 1, per: 60, quota_max: 100, quota_renewal_rate: 3600 },
}

function script({ method, path, body }: { method: string; path: string; body: Uint8Array | undefined }): Scripted {
  const segments = path.split('?', 1)[0]?.split('/') ?? []
  if (segments.includes(upstreamSegments.out)) return { status: 307, headers: ['location', '/batch-api-other/x'] }
  if (segments.includes(upstreamSegments.down)) return { failure: 'refused' }
  const text = `${method} ${path} ${body === undefined ? '' : new TextDecoder().decode(body)}`
  return segments.includes(upstreamSegments.busy) ? { status: 503, body: text } : { body: text }
}

/** Sends a request to the gateway as a client does. */
export type SendToGateway = (
  method: string,
  url: string,
  headers: Record<string, string>,
  body: string,
) => Promise<CollectedResponse>

export interface EngineBatchesOptions {
  /** Default: the memory store. */
  readonly open?: OpenStore
  /** Wraps the store. Mutants use it. */
  readonly store?: (store: Store) => Store
  /** Replaces the batch endpoint. Mutants use it. */
  readonly batch?: (real: BatchUnderTest, send: SendToGateway) => BatchUnderTest['batch']
}

/** The engine with an endpoint of batch requests as a subject of property 15. Each case gets an endpoint of its own. */
export function engineBatches(
  name: string,
  makeEndpoint: ManagementUnderTest['makeBatchEndpoint'],
  options: EngineBatchesOptions = {},
): BatchSubject {
  checkInput('engineBatches', 'the name', name, aText)
  checkInput('engineBatches', 'the maker of the endpoint', makeEndpoint, aFunction)
  checkOptions('engineBatches', options, { open: aFunction, store: aFunction, batch: aFunction })
  const { open, store, batch } = options
  return {
    name,
    upstream: upstreamOf('batch-api'),
    async make() {
      const attach = () => ({ endpoints: [makeEndpoint()] })
      const started = await makeTestEngine({
        ...{ definitions, keys, attach, script, open },
        ...(store === undefined ? {} : { store }),
      })
      const send: SendToGateway = async (method, url, headers, body) =>
        collectResponse(await started.engine.handle(makeInjectedRequest({ method, url, headers, body })))
      const real = underTest(started, send)
      return batch === undefined ? real : { ...real, batch: batch(real, send) }
    },
  }
}

/** Returns the headers of an item: its key. */
export function headersOfItem({ key }: BatchItem): Record<string, string> {
  return key === undefined ? {} : { Authorization: `${key}key` }
}

function underTest({ store, upstream }: TestEngine, send: SendToGateway): BatchUnderTest {
  return {
    async batch(items, inOrder) {
      const requests = items.map((item) => ({
        method: item.method,
        relative_url: item.relativeUrl,
        headers: headersOfItem(item),
        body: item.body,
      }))
      const call = JSON.stringify({ requests, suppress_parallel_execution: inOrder })
      const answer = await send('POST', '/batch-api/svc/batch/', {}, call)
      if (answer.status !== 200) throw new Error(`the response to the batch was ${answer.status} ${answer.text()}`)
      return answer
        .json<{ relative_url: string; code: number; body: string }[]>()
        .map(({ relative_url, code, body }) => ({ relativeUrl: relative_url, status: code, body }))
    },
    async single(item) {
      const answer = await send(item.method, `/batch-api/${item.resolvedPath}`, headersOfItem(item), item.body)
      const isRedirect = headerOf(answer.pairs, 'location') !== undefined
      return { status: answer.status, body: answer.text(), isRedirect }
    },
    upstreamRequests: () =>
      upstream.requests.map(
        ({ origin, method, path, body }) => `${origin} ${method} ${path} ${new TextDecoder().decode(body)}`,
      ),
    async counters() {
      const state: Record<string, number> = {}
      for (const [name, { rate }] of Object.entries(keys)) {
        state[`quota of ${name}`] = (await store.counters.readQuota(plainCounter(name)))?.used ?? 0
        const limit = { algorithm: 'local', rate, per: 60, smoothing: undefined, oneLess: false } as const
        state[`rate of ${name}`] = (await consumeRate(store.counters, name, limit, 0)).remaining
      }
      return state
    },
  }
}
