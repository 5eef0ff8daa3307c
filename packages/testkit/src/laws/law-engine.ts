/** An engine for the laws that are about whole requests: in memory, on a virtual clock, before a scripted upstream. */
import {
  defaultSettings,
  type Engine,
  type GatewaySettings,
  makeEngine,
  makeMemorySignals,
  makeMemoryStore,
  type Session,
  type StageOrder,
  type Store,
  sessionShape,
  silentLog,
} from '@turnpike/core'
import { type FakeUpstream, makeFakeUpstream, type Script } from '../fakes/fake-upstream.ts'
import { makeSequentialIds } from '../fakes/sequential-ids.ts'
import { makeVirtualClock, type VirtualClock } from '../virtual-clock.ts'

export interface LawEngineOptions {
  /** Classic documents. */
  readonly definitions: readonly { readonly api_id: string; readonly [field: string]: unknown }[]
  readonly settings?: Partial<GatewaySettings>
  readonly order?: StageOrder
  /** Puts something around the store. */
  readonly store?: (store: Store) => Store
  readonly script?: Script
  /** Sessions of keys and organisations, in wire form. */
  readonly keys?: Readonly<Record<string, object>>
  readonly orgs?: Readonly<Record<string, object>>
}

export interface LawEngine {
  readonly engine: Engine
  /** What the engine uses, with whatever was put around it. */
  readonly store: Store
  readonly upstream: FakeUpstream
  readonly clock: VirtualClock
}

export async function makeLawEngine(options: LawEngineOptions): Promise<LawEngine> {
  const clock = makeVirtualClock()
  const around = options.store ?? ((store: Store) => store)
  const store = around(makeMemoryStore({ clock }))
  const upstream = makeFakeUpstream(clock, options.script)
  const documents = options.definitions.map((definition) => {
    const text = JSON.stringify(definition)
    return { name: `${definition.api_id}.json`, hash: text, text, problem: undefined }
  })
  for (const [name, wire] of Object.entries(options.keys ?? {})) await store.sessions.put(name, sessionOf(wire))
  for (const [id, wire] of Object.entries(options.orgs ?? {})) await store.orgSessions.put(id, sessionOf(wire))
  const engine = makeEngine({
    clock,
    store,
    upstream,
    signals: makeMemorySignals(),
    ids: makeSequentialIds(),
    passwords: { hash: async (text) => text, matches: async (text, hash) => text === hash },
    log: silentLog,
    settings: { ...defaultSettings, ...options.settings },
    source: {
      read: async () => ({ definitions: documents, definitionsProblem: undefined, policies: { kind: 'none' } }),
    },
    ...(options.order === undefined ? {} : { order: options.order }),
  })
  await engine.reload()
  return { engine, store, upstream, clock }
}

function sessionOf(wire: object): Session {
  return sessionShape.read(wire, [], [])
}
