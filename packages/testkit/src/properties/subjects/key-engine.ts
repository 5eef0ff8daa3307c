/** An engine that serves one API, and the key registry that a management API uses to write keys. */
import {
  type Engine,
  type GatewaySettings,
  type Ids,
  type KeyRegistry,
  makeEngine,
  makeKeyRegistry,
  type Signals,
  type Store,
  silentLog,
} from '@turnpike/core'
import { makeFakeUpstream } from '../../fakes/fake-upstream.ts'
import type { VirtualClock } from '../../virtual-clock.ts'

export interface KeyEngineOptions {
  readonly clock: VirtualClock
  readonly store: Store
  readonly signals: Signals
  readonly ids: Ids
  readonly settings: GatewaySettings
  /** A classic API definition. */
  readonly api: { readonly api_id: string }
}

export interface KeyEngine {
  readonly engine: Engine
  readonly registry: KeyRegistry
}

/** Makes the engine and loads the API. */
export async function startKeyEngine({ api, ...given }: KeyEngineOptions): Promise<KeyEngine> {
  const services = {
    ...given,
    passwords: { hash: async (text: string) => text, matches: async (text: string, hash: string) => text === hash },
    log: silentLog,
  }
  const document = { name: `${api.api_id}.json`, hash: '1', text: JSON.stringify(api), problem: undefined }
  const engine = makeEngine({
    ...services,
    upstream: makeFakeUpstream(services.clock),
    source: {
      read: async () => ({ definitions: [document], definitionsProblem: undefined, policies: { kind: 'none' } }),
    },
  })
  await engine.reload()
  const { policies, definitions: apis, sessionCache, keyLock, orgs } = engine
  return { engine, registry: makeKeyRegistry({ ...services, policies, apis, sessionCache, keyLock, orgs }) }
}
