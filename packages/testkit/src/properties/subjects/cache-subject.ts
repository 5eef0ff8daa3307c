/** The subject of property 19: a gateway with two cached APIs and an upstream whose responses are all different. */

import { collectResponse, makeInjectedRequest } from '@turnpike/core/engine'
import { type HeaderPairs, headerOf } from '@turnpike/core/http'
import type { Millis } from '@turnpike/core/lib'
import type { Clock, Store } from '@turnpike/core/ports'
import { aFunction, anAmountOfTime, aText, checkInput, checkOptions, oneOf } from '../../check-input.ts'
import type { Script } from '../../fakes/fake-upstream.ts'
import { type CacheRequest, cacheApis, cacheKeys } from '../cache-cases.ts'
import { accessTo, makeTestEngine, type OpenStore, type TestDefinition, testDefinition } from './test-engine.ts'

/** The response body. The upstream fills it with the request that it received. */
export interface CachedBody {
  readonly api: string
  readonly key: string
  readonly path: string
  readonly lang: string
  /** Number of responses that the upstream started before this one. */
  readonly index: number
}

/** A gateway with empty caches. */
export interface CacheUnderTest {
  /** Sends a request and resolves with the complete body. */
  send(request: CacheRequest): Promise<CachedBody>
  /** Invalidates the cache of an API. Resolves when this is acknowledged. */
  invalidate(api: string): Promise<void>
  /** Number of responses that the upstream has started. */
  startedResponses(): number
  now(): Millis
  wait(ms: Millis): Promise<void>
}

export interface CacheSubject {
  readonly name: string
  /** Whether cached responses are separate for each key. */
  readonly isPerKey: boolean
  /** A response is reused for at least `minLifetimeMs` and less than `maxLifetimeMs` after its last byte. */
  readonly minLifetimeMs: Millis
  readonly maxLifetimeMs: Millis
  make(): Promise<CacheUnderTest>
}

const lifetimeSeconds = 5

export interface EngineCacheOptions {
  /** Default `compatible`. */
  readonly mode?: 'compatible' | 'rfc9111'
  /** Default: the memory store. */
  readonly open?: OpenStore
  /** Milliseconds for which the store may return a response after its lifetime. Default 0. */
  readonly forgetsLateMs?: Millis
  /** Wraps the store, for mutants and for slow stores. */
  readonly store?: (store: Store, clock: Clock) => Store
}

/** The engine with its response cache, on a virtual clock. */
export function engineCache(name: string, options: EngineCacheOptions = {}): CacheSubject {
  checkInput('engineCache', 'the name', name, aText)
  const known = { mode: oneOf(['compatible', 'rfc9111']), forgetsLateMs: anAmountOfTime }
  checkOptions('engineCache', options, { ...known, open: aFunction, store: aFunction })
  const isCompatible = options.mode !== 'rfc9111'
  return {
    name,
    isPerKey: isCompatible,
    minLifetimeMs: (lifetimeSeconds - 1) * 1000,
    maxLifetimeMs: lifetimeSeconds * 1000 + (options.forgetsLateMs ?? 0),
    make: () => startEngine(isCompatible, options),
  }
}

function definitionOf(id: string, isCompatible: boolean): TestDefinition {
  const rules = isCompatible
    ? { cache_timeout: lifetimeSeconds, cache_all_safe_requests: true, cache_by_headers: ['X-Lang'] }
    : {}
  const cache = { cache_options: { enable_cache: true, ...rules }, ...(isCompatible ? {} : { cache_mode: 'rfc9111' }) }
  return testDefinition(id, cache, `http://${id}.test`)
}

async function startEngine(isCompatible: boolean, { open, store: wrap }: EngineCacheOptions): Promise<CacheUnderTest> {
  const script: Script = ({ origin, path, headers, index }) => {
    const of = (name: string) => headerOf(headers, name) ?? ''
    const api = new URL(origin).hostname.split('.', 1)[0] as string
    const body: CachedBody = { api, key: of('authorization'), path, lang: of('x-lang'), index }
    const [headMs = 0, bodyMs = 0] = of('x-delays').split(' ').map(Number)
    const cacheHeaders: HeaderPairs = isCompatible
      ? []
      : ['cache-control', `public, max-age=${lifetimeSeconds}`, 'vary', 'X-Lang']
    return { body: [JSON.stringify(body), '\n'], delayMs: headMs, chunkDelayMs: bodyMs / 2, headers: cacheHeaders }
  }
  const { engine, store, upstream, clock } = await makeTestEngine({
    definitions: cacheApis.map((id) => definitionOf(id, isCompatible)),
    keys: Object.fromEntries(cacheKeys.map((key) => [key, accessTo(...cacheApis)])),
    ...{ script, open, store: wrap },
  })
  return {
    async send({ api, key, path, lang, headMs, bodyMs }) {
      const headers = { authorization: key, 'x-lang': lang, 'x-delays': `${headMs} ${bodyMs}` }
      const request = makeInjectedRequest({ url: `/${api}${path}`, headers })
      const response = await collectResponse(await engine.handle(request))
      if (response.status !== 200) throw new Error(`the response has status ${response.status}: ${response.text()}`)
      return response.json<CachedBody>()
    },
    async invalidate(api) {
      await store.responses.invalidate(api)
    },
    startedResponses: () => upstream.requests.length,
    now: () => clock.now(),
    wait: (ms) => clock.run(ms),
  }
}
