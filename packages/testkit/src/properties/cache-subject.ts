/** What the property of the cache is about: a gateway with two cached APIs, in front of an upstream that never repeats itself. */
import {
  type Clock,
  defaultSettings,
  type HeaderPairs,
  headerOf,
  type Millis,
  makeEngine,
  makeInjectedRequest,
  makeMemorySignals,
  readAnswer,
  type Store,
  sessionShape,
  silentLog,
  when,
} from '@turnpike/core'
import { makeFakeUpstream } from '../fakes/fake-upstream.ts'
import { makeSequentialIds } from '../fakes/sequential-ids.ts'
import { type CacheAsk, cacheApis, cacheKeys } from './cache-cases.ts'
import { type OpenStore, openMemoryStore } from './test-engine.ts'

/** What an answer says it was made for. The upstream writes it, from what it was asked. */
export interface MadeFor {
  readonly api: string
  readonly key: string
  readonly path: string
  readonly lang: string
  /** How many answers the upstream had begun before this one. */
  readonly index: number
}

/** A gateway with empty caches. */
export interface CacheUnderTest {
  /** Settles with the answer's body when its last byte is there. */
  ask(wish: CacheAsk): Promise<MadeFor>
  /** Settles when the invalidation is acknowledged. */
  empty(api: string): Promise<void>
  /** Answers that the upstream has begun. */
  begun(): number
  now(): Millis
  wait(ms: Millis): Promise<void>
}

export interface CacheSubject {
  readonly name: string
  /** Whether answers belong to the key that asked for them. */
  readonly personal: boolean
  /** An answer is given again for at least, and less than at most, this long after its last byte. */
  readonly livesAtLeastMs: Millis
  readonly livesAtMostMs: Millis
  make(): Promise<CacheUnderTest>
}

const lifetimeSeconds = 5

export interface EngineCacheOptions {
  /** Default `recorded`. */
  readonly mode?: 'recorded' | 'rfc9111'
  /** Default: a store in memory. */
  readonly open?: OpenStore
  /** How long after the end of a lifetime the store may still give an answer. Default 0. */
  readonly forgetsLateMs?: Millis
  /** Puts something around the store; for faults, and for stores that take their time. */
  readonly store?: (store: Store, clock: Clock) => Store
}

/** The engine with its cache, on a virtual clock. */
export function engineCache(name: string, options: EngineCacheOptions = {}): CacheSubject {
  const recorded = options.mode !== 'rfc9111'
  return {
    name,
    personal: recorded,
    livesAtLeastMs: (lifetimeSeconds - 1) * 1000,
    livesAtMostMs: lifetimeSeconds * 1000 + (options.forgetsLateMs ?? 0),
    make: () => startEngine(recorded, options),
  }
}

function definitionOf(id: string, recorded: boolean): string {
  const rules = recorded
    ? { cache_timeout: lifetimeSeconds, cache_all_safe_requests: true, cache_by_headers: ['X-Lang'] }
    : {}
  return JSON.stringify({
    name: id,
    api_id: id,
    org_id: 'org1',
    auth: { auth_header_name: 'Authorization' },
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: `/${id}/`, target_url: `http://${id}.test`, strip_listen_path: true },
    cache_options: { enable_cache: true, ...rules },
    ...(recorded ? {} : { cache_mode: 'rfc9111' }),
  })
}

async function startEngine(
  recorded: boolean,
  { open = openMemoryStore, store: around = (store) => store }: EngineCacheOptions,
): Promise<CacheUnderTest> {
  const { clock, store: real } = await open()
  const store = around(real, clock)
  const upstream = makeFakeUpstream(clock, ({ origin, path, headers, index }) => {
    const of = (name: string) => headerOf(headers, name) ?? ''
    const api = new URL(origin).hostname.split('.', 1)[0] as string
    const body: MadeFor = { api, key: of('authorization'), path, lang: of('x-lang'), index }
    const [headMs = 0, bodyMs = 0] = of('x-delays').split(' ').map(Number)
    const steered: HeaderPairs = recorded
      ? []
      : ['cache-control', `public, max-age=${lifetimeSeconds}`, 'vary', 'X-Lang']
    return { body: [JSON.stringify(body), '\n'], delayMs: headMs, chunkDelayMs: bodyMs / 2, headers: steered }
  })
  const engine = makeEngine({
    clock,
    store,
    upstream,
    signals: makeMemorySignals(),
    ids: makeSequentialIds(),
    passwords: { hash: async (text) => text, matches: async (text, hash) => text === hash },
    settings: defaultSettings,
    log: silentLog,
    source: {
      read: async () => ({
        definitions: cacheApis.map((id) => ({
          name: `${id}.json`,
          hash: id,
          text: definitionOf(id, recorded),
          problem: undefined,
        })),
        definitionsProblem: undefined,
        policies: { kind: 'none' },
      }),
    },
  })
  const rights = Object.fromEntries(cacheApis.map((id) => [id, { api_id: id, versions: ['Default'] }]))
  for (const key of cacheKeys) {
    await store.sessions.put(key, sessionShape.read({ org_id: 'org1', access_rights: rights }, [], []))
  }
  await engine.reload()
  return {
    async ask({ api, key, path, lang, headMs, bodyMs }) {
      const headers = { authorization: key, 'x-lang': lang, 'x-delays': `${headMs} ${bodyMs}` }
      const request = makeInjectedRequest({ url: `/${api}${path}`, headers })
      const answer = await readAnswer(await when(engine.handle(request), (made) => made))
      if (answer.status !== 200) throw new Error(`the request was answered ${answer.status}: ${answer.text()}`)
      return answer.json<MadeFor>()
    },
    async empty(api) {
      await store.responses.invalidate(api)
    },
    begun: () => upstream.asked.length,
    now: () => clock.now(),
    wait: (ms) => clock.run(ms),
  }
}
