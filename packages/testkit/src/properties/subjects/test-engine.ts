/** An engine for the properties of whole requests: on any store, with a virtual clock and a scripted upstream. */
import type { SourceDocument, SourceSnapshot } from '@turnpike/core/definition'
import { type Engine, type EngineOptions, makeEngine } from '@turnpike/core/engine'
import type { StageOrder } from '@turnpike/core/pipeline'
import {
  defaultSettings,
  type GatewaySettings,
  type Ids,
  type Passwords,
  type Session,
  type Signals,
  type Store,
  sessionShape,
  silentLog,
} from '@turnpike/core/ports'
import { KeyRegistry } from '@turnpike/core/session'
import { makeMemorySignals, makeMemoryStore } from '@turnpike/core/store-memory'
import { type FakeUpstream, makeFakeUpstream, type Script } from '../../fakes/fake-upstream.ts'
import { makeSequentialIds } from '../../fakes/sequential-ids.ts'
import { makeVirtualClock, type VirtualClock } from '../../virtual-clock.ts'

/** Passwords without hashing, because bcrypt needs real time. */
export const plainPasswords: Passwords = {
  hash: async (text) => text,
  matches: async (text, hash) => text === hash,
}

/** Opens an empty store and its clock. */
export type OpenStore = () => Promise<{ readonly clock: VirtualClock; readonly store: Store }>

/** Opens a memory store. */
export const openMemoryStore: OpenStore = async () => {
  const clock = makeVirtualClock()
  return { clock, store: makeMemoryStore({ clock }) }
}

/** A classic API definition. */
export interface TestDefinition {
  readonly api_id: string
  readonly [field: string]: unknown
}

/**
 * A definition of an API that reads keys from the header `Authorization`. Its listen path is its id, and `more` replaces
 * fields.
 */
export function testDefinition(id: string, more: object = {}, targetUrl = 'http://upstream.test'): TestDefinition {
  return {
    name: id,
    api_id: id,
    org_id: 'org1',
    active: true,
    auth: { auth_header_name: 'Authorization' },
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: `/${id}/`, target_url: targetUrl, strip_listen_path: true },
    ...more,
  }
}

/** The part of a session, in wire form, that gives a key of `org1` access to these APIs. */
export function accessTo(...apiIds: readonly string[]) {
  const rights = apiIds.map((id) => [id, { api_id: id, versions: ['Default'] }])
  return { org_id: 'org1', access_rights: Object.fromEntries(rights) }
}

export interface TestEngineOptions {
  readonly definitions: readonly TestDefinition[]
  /** Policies by id. Default: none. */
  readonly policies?: Readonly<Record<string, object>>
  readonly settings?: Partial<GatewaySettings>
  readonly order?: StageOrder
  /** Default: signals in memory. */
  readonly signals?: Signals
  /** Default: count up from 1. */
  readonly ids?: Ids
  /** Returns what is attached to the engine, which is made with these services. Default: nothing. */
  readonly attach?: (parts: EngineOptions) => Pick<EngineOptions, 'endpoints' | 'clientExists'>
  /** Default: a memory store. */
  readonly open?: OpenStore | undefined
  /** Wraps the store. */
  readonly store?: ((store: Store, clock: VirtualClock) => Store) | undefined
  readonly script?: Script
  /** Sessions of keys and organisations, in wire form. */
  readonly keys?: Readonly<Record<string, object>>
  readonly orgs?: Readonly<Record<string, object>>
}

export interface TestEngine {
  readonly engine: Engine
  /** Writes keys as a management API does. */
  readonly keys: KeyRegistry
  /** The store that the engine uses, wrapped by `TestEngineOptions.store`. */
  readonly store: Store
  readonly upstream: FakeUpstream
  readonly clock: VirtualClock
  /** Loads other definitions and policies; resolves when the engine serves them. */
  serve(definitions: readonly TestDefinition[], policies?: Readonly<Record<string, object>>): Promise<void>
}

export async function makeTestEngine(options: TestEngineOptions): Promise<TestEngine> {
  const { clock, store: real } = await (options.open ?? openMemoryStore)()
  const store = options.store?.(real, clock) ?? real
  const upstream = makeFakeUpstream(clock, options.script)
  let files = testSnapshot(options.definitions, options.policies)
  for (const [name, wire] of Object.entries(options.keys ?? {})) await store.sessions.put(name, sessionOf(wire))
  for (const [id, wire] of Object.entries(options.orgs ?? {})) await store.organisations.put(id, sessionOf(wire))
  const parts: EngineOptions = {
    clock,
    store,
    upstream,
    signals: options.signals ?? makeMemorySignals(),
    ids: options.ids ?? makeSequentialIds(),
    passwords: plainPasswords,
    log: silentLog,
    settings: { ...defaultSettings, ...options.settings },
    source: { read: async () => files },
    ...(options.order === undefined ? {} : { order: options.order }),
  }
  const engine = makeEngine({ ...parts, ...options.attach?.(parts) })
  await engine.reload()
  const { policies, definitions: apis, sessionCache, keyLock, orgs } = engine
  return {
    engine,
    keys: new KeyRegistry({ ...parts, policies, apis, sessionCache, keyLock, orgs }),
    store,
    upstream,
    clock,
    async serve(definitions, policies) {
      files = testSnapshot(definitions, policies)
      await engine.reload()
    },
  }
}

/** What a gateway reads: definitions, and policies by id. */
export function testSnapshot(
  definitions: readonly TestDefinition[],
  policies?: Readonly<Record<string, object>>,
): SourceSnapshot {
  return {
    definitions: definitions.map((definition) => documentOf(definition.api_id, definition)),
    definitionsProblem: undefined,
    policies: policies === undefined ? { kind: 'none' } : { kind: 'map', document: documentOf('policies', policies) },
  }
}

function documentOf(name: string, content: object): SourceDocument {
  const text = JSON.stringify(content)
  return { name: `${name}.json`, hash: text, text, problem: undefined }
}

function sessionOf(wire: object): Session {
  return sessionShape.read(wire, [], [])
}
