/** Writes keys and organisations as the management API of a gateway does, before a run and without the network. */
import { makeEngine } from '@turnpike/core/engine'
import { type Clock, type Session, type Store, silentLog } from '@turnpike/core/ports'
import { KeyRegistry, makeOrgSessions } from '@turnpike/core/session'
import { makeSequentialIds, plainPasswords } from '@turnpike/testkit'
import { makeEchoUpstream } from '../cluster/echo-upstream.ts'
import type { PlannedFiles } from './plan.ts'
import type { SimulatedGateway } from './simulated-gateway.ts'

export interface SeedRequest {
  readonly gateway: Pick<SimulatedGateway, 'settings' | 'snapshotOf' | 'engineOptions'>
  readonly files: PlannedFiles
  readonly store: Store
  readonly clock: Clock
  /** Sessions by the id of their key. */
  readonly keys: Readonly<Record<string, Session>>
  readonly organisations: Readonly<Record<string, Session>>
}

/** Throws if a key cannot be written. */
export async function seedKeys({ gateway, files, store, clock, keys, organisations }: SeedRequest): Promise<void> {
  const parts = {
    ...{ clock, store, signals: noSignals, log: silentLog, passwords: plainPasswords, settings: gateway.settings },
    ids: makeSequentialIds(),
  }
  const engine = makeEngine({
    ...gateway.engineOptions,
    ...parts,
    upstream: makeEchoUpstream(),
    source: { read: async () => gateway.snapshotOf(files) },
  })
  try {
    await engine.reload()
    const { policies, definitions: apis, sessionCache, keyLock, orgs } = engine
    const services = { ...parts, policies, apis, sessionCache, keyLock, orgs }
    const registry = new KeyRegistry(services)
    const organisationSessions = makeOrgSessions(services)
    for (const [id, session] of Object.entries(organisations)) await organisationSessions.put(id, session, false)
    for (const [id, session] of Object.entries(keys)) {
      const written = await registry.put(id, session)
      if (written.kind !== 'written') throw new Error(`key ${id} was not written: ${written.kind}`)
    }
  } finally {
    engine.close()
  }
}

const noSignals = { publish: () => Promise.resolve(), subscribe: () => () => undefined }
