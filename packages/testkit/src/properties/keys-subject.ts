/**
 * What the property of keys is about: the verbs of a key's life, whatever stands behind them. `httpKeys` puts any gateway
 * under it, over its management API; `engineKeys` the engine and its registry, without HTTP.
 */
import {
  type Clock,
  defaultSettings,
  type GatewaySettings,
  type Millis,
  makeInjectedRequest,
  makeKeyName,
  makeMemorySignals,
  type Session,
  type Store,
  sessionShape,
  storedNameOf,
} from '@turnpike/core'
import type { KeyNaming } from '../arbitraries/key-cases.ts'
import { makeSequentialIds } from '../fakes/sequential-ids.ts'
import { startKeyEngine } from './key-engine.ts'
import { type OpenStore, openMemoryStore } from './test-engine.ts'

/** What the property looks at of a session. */
export interface KeyFacts {
  readonly alias: string
  /** Unix seconds; 0: never. */
  readonly expires: number
}

/** A gateway without keys, and a client of it. */
export interface KeysUnderTest {
  /** Makes or replaces a key; answers its full name. */
  add(id: string, facts: KeyFacts): Promise<string>
  /** False: no such key. */
  update(id: string, by: KeyNaming, facts: KeyFacts): Promise<boolean>
  read(id: string, by: KeyNaming): Promise<KeyFacts | undefined>
  /** False: no such key. */
  remove(id: string, by: KeyNaming): Promise<boolean>
  /** Stored names. `undefined`: this gateway lists none. */
  list(): Promise<readonly string[] | undefined>
  /** Whether a request to an API with this key is let through. */
  admits(id: string, by: 'full' | 'short'): Promise<boolean>
  now(): Millis
  wait(ms: Millis): Promise<void>
}

export interface KeysSubject {
  readonly name: string
  readonly settings: Pick<GatewaySettings['keys'], 'hashKeys' | 'hashFunction'>
  make(): Promise<KeysUnderTest>
}

/** Organisation of all keys of the property: four letters, see `keyIds`. */
export const keysOrg = 'org1'
/** The API that all keys of the property open. Its listen path is `/keys-law/`, it reads keys from `Authorization`. */
export const keysApi = {
  name: 'keys-law',
  api_id: 'keys-law',
  org_id: keysOrg,
  active: true,
  auth: { auth_header_name: 'Authorization' },
  version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
  proxy: { listen_path: '/keys-law/', target_url: 'http://upstream.test', strip_listen_path: true },
} as const

/** The full name of a key of the property. */
export function fullNameOf(id: string, { hashFunction }: KeysSubject['settings']): string {
  return makeKeyName(keysOrg, id, hashFunction)
}

/** The name under which a key of the property is stored. */
export function storedNameFor(id: string, settings: KeysSubject['settings']): string {
  return storedNameOf(fullNameOf(id, settings), settings.hashKeys)
}

/** A client's way to a gateway that serves `keysApi`. */
export interface KeysClient {
  /** A management call with its key; `path` below the vendor word: `/keys/x?hashed=1`. */
  call(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly json: unknown }>
  /** Status of `GET /keys-law/x` with this credential. */
  ask(credential: string): Promise<number>
  now(): Millis
  wait(ms: Millis): Promise<void>
}

/** Any gateway, over its management API. Statuses other than those of the property are faults and throw. */
export function httpKeys(client: KeysClient, settings: KeysSubject['settings']): KeysUnderTest {
  const pathOf = (id: string, by: KeyNaming): string => {
    if (by === 'short') return `/keys/${encodeURIComponent(id)}?org_id=${keysOrg}`
    // Where keys are not hashed, the stored name is the full one and cannot be asked for as a hash.
    const name = by === 'stored' ? storedNameFor(id, settings) : fullNameOf(id, settings)
    return `/keys/${encodeURIComponent(name)}${by === 'stored' && settings.hashKeys ? '?hashed=1' : ''}`
  }
  const found = ({ status }: { status: number }): boolean => {
    if (status !== 200 && status !== 404) throw new Error(`the call was answered ${status}`)
    return status === 200
  }
  return {
    async add(id, facts) {
      const { status, json } = await client.call('POST', `/keys/${id}`, wireSession(facts))
      if (status !== 200) throw new Error(`the key was not made: ${status}`)
      return String(fieldOf(json, 'key'))
    },
    update: async (id, by, facts) => found(await client.call('PUT', pathOf(id, by), wireSession(facts))),
    remove: async (id, by) => found(await client.call('DELETE', pathOf(id, by))),
    async read(id, by) {
      const answer = await client.call('GET', pathOf(id, by))
      if (!found(answer)) return undefined
      return { alias: String(fieldOf(answer.json, 'alias')), expires: Number(fieldOf(answer.json, 'expires') ?? 0) }
    },
    async list() {
      const { status, json } = await client.call('GET', '/keys')
      const keys = fieldOf(json, 'keys')
      return status === 200 && Array.isArray(keys) ? keys.map(String) : undefined
    },
    async admits(id, by) {
      const status = await client.ask(by === 'short' ? id : fullNameOf(id, settings))
      if (status !== 200 && status !== 401 && status !== 403) throw new Error(`the request was answered ${status}`)
      return status === 200
    },
    now: client.now,
    wait: client.wait,
  }
}

function wireSession({ alias, expires }: KeyFacts): object {
  const rights = { [keysApi.api_id]: { api_id: keysApi.api_id, versions: ['Default'] } }
  return { org_id: keysOrg, alias, expires, access_rights: rights }
}

function fieldOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[name] : undefined
}

export interface EngineKeysOptions {
  readonly hashKeys?: boolean
  readonly hashFunction?: GatewaySettings['keys']['hashFunction']
  /** Default: a store in memory. */
  readonly open?: OpenStore
  /** Puts something around the store; for stores that take their time, and for faults. */
  readonly store?: (store: Store) => Store
}

/** The engine with its registry of keys, on a virtual clock. */
export function engineKeys(name: string, options: EngineKeysOptions = {}): KeysSubject {
  const keys = {
    ...defaultSettings.keys,
    hashKeys: options.hashKeys ?? false,
    hashFunction: options.hashFunction ?? '',
  }
  const settings = { ...defaultSettings, keys }
  return { name, settings: keys, make: () => startEngine(settings, options) }
}

async function startEngine(
  settings: GatewaySettings,
  { open = openMemoryStore, store: around = (store) => store }: EngineKeysOptions,
): Promise<KeysUnderTest> {
  const { clock, store: real } = await open()
  const store = around(real)
  const { engine, registry } = await startKeyEngine({
    clock,
    store,
    signals: makeMemorySignals(),
    ids: makeSequentialIds(),
    settings,
    api: keysApi,
  })
  const address = (id: string, by: KeyNaming) => {
    if (by === 'short') return { name: id, orgId: keysOrg }
    if (by === 'stored') return { name: storedNameFor(id, settings.keys), stored: true }
    return { name: fullNameOf(id, settings.keys) }
  }
  return {
    async add(id, facts) {
      const written = await registry.put(id, sessionOf(facts))
      if (written.kind !== 'written') throw new Error(`the key was not made: ${written.kind}`)
      return written.keyName
    },
    async update(id, by, facts) {
      const written = await registry.replace(address(id, by), sessionOf(facts))
      if (written.kind !== 'written' && written.kind !== 'unknown-key') throw new Error(written.kind)
      return written.kind === 'written'
    },
    read: (id, by) => registry.read(address(id, by)),
    remove: async (id, by) => (await registry.remove(address(id, by))).kind === 'removed',
    list: () => registry.list({}),
    async admits(id, by) {
      const credential = by === 'short' ? id : fullNameOf(id, settings.keys)
      const request = makeInjectedRequest({ url: '/keys-law/x', headers: { authorization: credential } })
      return (await engine.handle(request)).status === 200
    },
    now: clock.now,
    wait: (ms) => clock.run(ms),
  }
}

function sessionOf(facts: KeyFacts): Session {
  return sessionShape.read(wireSession(facts), [], [])
}

/** A store whose sessions take their time, as over a network: calls that meet at once really do. */
export function slowSessions(store: Store, clock?: Pick<Clock, 'breathe'>): Store {
  const turn = clock?.breathe ?? (() => Promise.resolve())
  const { sessions } = store
  return {
    ...store,
    sessions: {
      find: async (name) => turn().then(() => sessions.find(name)),
      get: async (name) => turn().then(() => sessions.get(name)),
      put: async (name, session, lifetimeMs) => turn().then(() => sessions.put(name, session, lifetimeMs)),
      remove: async (name) => turn().then(() => sessions.remove(name)),
      list: async (prefix) => turn().then(() => sessions.list(prefix)),
    },
  }
}
