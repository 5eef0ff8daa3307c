/**
 * Subject of property 17: the operations on keys. `httpKeys` makes a subject of any gateway through its management API,
 * and `engineKeys` of the engine and its registry without HTTP.
 */

import { makeInjectedRequest } from '@turnpike/core/engine'
import type { Millis } from '@turnpike/core/lib'
import { defaultSettings, type GatewaySettings, type Session, type Store, sessionShape } from '@turnpike/core/ports'
import { makeKeyName, storedNameOf } from '@turnpike/core/session'
import type { KeyNaming } from '../../arbitraries/key-cases.ts'
import { aFlag, aFunction, aText, checkInput, checkOptions, oneOf } from '../../check-input.ts'
import { accessTo, makeTestEngine, type OpenStore, testDefinition } from './test-engine.ts'

/** The session fields that the property checks. */
export interface KeyFacts {
  readonly alias: string
  /** Unix seconds; 0 means never. */
  readonly expires: number
}

/** A gateway without keys, and a client for it. */
export interface KeysUnderTest {
  /** Creates or replaces a key and returns its full name. */
  add(id: string, facts: KeyFacts): Promise<string>
  /** Returns false if the key does not exist. */
  update(id: string, by: KeyNaming, facts: KeyFacts): Promise<boolean>
  read(id: string, by: KeyNaming): Promise<KeyFacts | undefined>
  /** Returns false if the key does not exist. */
  remove(id: string, by: KeyNaming): Promise<boolean>
  /** Returns the stored names, or `undefined` if this gateway cannot list them. */
  list(): Promise<readonly string[] | undefined>
  /** Returns true if a request to an API with this key is admitted. */
  admits(id: string, by: 'full' | 'short'): Promise<boolean>
  now(): Millis
  wait(ms: Millis): Promise<void>
}

export interface KeysSubject {
  readonly name: string
  readonly settings: Pick<GatewaySettings['keys'], 'hashKeys' | 'hashFunction'>
  make(): Promise<KeysUnderTest>
}

/** Organisation of all keys of the property. It has four letters, see `keyIds`. */
export const keysOrg = 'org1'
/**
 * The API that all keys of the property may use. Its listen path is `/keys-api/`, and it reads keys from
 * `Authorization`.
 */
export const keysApi = testDefinition('keys-api')

/** Returns the full name of a key of the property. */
export function fullNameOf(id: string, { hashFunction }: KeysSubject['settings']): string {
  return makeKeyName(keysOrg, id, hashFunction)
}

/** Returns the name under which a key of the property is stored. */
export function storedNameFor(id: string, settings: KeysSubject['settings']): string {
  return storedNameOf(fullNameOf(id, settings), settings.hashKeys)
}

/** Client of a gateway that serves `keysApi`. */
export interface KeysClient {
  /** Calls the management API with its secret. `path` follows the vendor prefix: `/keys/x?hashed=1`. */
  call(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly json: unknown }>
  /** Returns the status of `GET /keys-api/x` with this credential. */
  ask(credential: string): Promise<number>
  now(): Millis
  wait(ms: Millis): Promise<void>
}

/** Makes a subject of any gateway, through its management API. Throws on a status that the property does not expect. */
export function httpKeys(client: KeysClient, settings: KeysSubject['settings']): KeysUnderTest {
  const pathOf = (id: string, by: KeyNaming): string => {
    if (by === 'short') return `/keys/${encodeURIComponent(id)}?org_id=${keysOrg}`
    // Without hashed keys, the stored name is the full name, and a lookup by hash does not find it.
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
  return { ...accessTo(keysApi.api_id), alias, expires }
}

function fieldOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[name] : undefined
}

export interface EngineKeysOptions {
  readonly hashKeys?: boolean
  readonly hashFunction?: GatewaySettings['keys']['hashFunction']
  /** Default: a memory store. */
  readonly open?: OpenStore
  /** Wraps the store: for slow stores and for mutants. */
  readonly store?: (store: Store) => Store
}

/** The engine with its key registry, on a virtual clock. */
export function engineKeys(name: string, options: EngineKeysOptions = {}): KeysSubject {
  checkInput('engineKeys', 'the name', name, aText)
  const known = { hashKeys: aFlag, hashFunction: oneOf(['', 'murmur32', 'murmur64', 'murmur128', 'sha256']) }
  checkOptions('engineKeys', options, { ...known, open: aFunction, store: aFunction })
  const keys = {
    ...defaultSettings.keys,
    hashKeys: options.hashKeys ?? false,
    hashFunction: options.hashFunction ?? '',
  }
  const settings = { ...defaultSettings, keys }
  return { name, settings: keys, make: () => startEngine(settings, options) }
}

async function startEngine(settings: GatewaySettings, { open, store }: EngineKeysOptions): Promise<KeysUnderTest> {
  const { engine, keys: registry, clock } = await makeTestEngine({ definitions: [keysApi], settings, open, store })
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
      const request = makeInjectedRequest({ url: '/keys-api/x', headers: { authorization: credential } })
      return (await engine.handle(request)).status === 200
    },
    now: clock.now,
    wait: (ms) => clock.run(ms),
  }
}

function sessionOf(facts: KeyFacts): Session {
  return sessionShape.read(wireSession(facts), [], [])
}
