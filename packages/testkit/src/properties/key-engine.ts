/** An engine that serves one API, and the registry by which a management API would write its keys. */
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
import { makeFakeUpstream } from '../fakes/fake-upstream.ts'
import type { VirtualClock } from '../virtual-clock.ts'

export interface KeyEngineParts {
  readonly clock: VirtualClock
  readonly store: Store
  readonly signals: Signals
  readonly ids: Ids
  readonly settings: GatewaySettings
  /** Classic document. */
  readonly api: { readonly api_id: string }
}

export interface KeyEngine {
  readonly engine: Engine
  readonly registry: KeyRegistry
}

/** Makes it and loads the API. */
export async function startKeyEngine({ api, ...given }: KeyEngineParts): Promise<KeyEngine> {
  const parts = {
    ...given,
    passwords: { hash: async (text: string) => text, matches: async (text: string, hash: string) => text === hash },
    log: silentLog,
  }
  const document = { name: `${api.api_id}.json`, hash: '1', text: JSON.stringify(api), problem: undefined }
  const engine = makeEngine({
    ...parts,
    upstream: makeFakeUpstream(parts.clock),
    source: {
      read: async () => ({ definitions: [document], definitionsProblem: undefined, policies: { kind: 'none' } }),
    },
  })
  await engine.reload()
  const { policies, definitions: apis, keyring, orgs } = engine
  return { engine, registry: makeKeyRegistry({ ...parts, policies, apis, keyring, orgs }) }
}
