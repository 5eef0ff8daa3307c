/** Builds the public `Gateway` interface from the components. */
import { type CustomStage, type Engine, type KeyRegistry, listStages, type OrgSessions } from '@turnpike/core'
import type { CreatedEngine } from './create-engine.ts'
import type { Platform } from './create-platform.ts'
import type { Server } from './create-server.ts'
import type { Telemetry } from './create-telemetry.ts'
import type { Gateway } from './gateway.ts'
import { keyFactsOf } from './key-facts.ts'
import { makeKeyHelpers, makeOrganisationHelpers } from './key-helpers.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { Storage } from './open-storage.ts'
import { makePolicyHelpers } from './policy-helpers.ts'

export interface GatewayDependencies extends Pick<Telemetry, 'requests' | 'reloads' | 'records'> {
  readonly config: Platform['config']
  readonly settings: Platform['settings']
  readonly source: Storage['source']
  readonly engine: Engine
  readonly definitions: CreatedEngine['definitions']
  readonly server: Server
  readonly keys: KeyRegistry
  readonly orgs: OrgSessions
  readonly customStages: readonly CustomStage[]
  readonly lifecycle: Lifecycle
}

export function toGateway({ engine, server, lifecycle, ...dependencies }: GatewayDependencies): Gateway {
  const graceMs = dependencies.config.gracefulShutdownTimeoutDuration * 1000
  return {
    inject: server.inject,
    explain: server.explain,
    handle: server.handle,
    fetch: server.fetch,
    nodeHandler: server.nodeHandler,
    nodeUpgradeHandler: server.nodeUpgradeHandler,
    listen: server.listen,
    reload: engine.reload,
    close: (ms = graceMs) => lifecycle.close(ms),
    keys: makeKeyHelpers(dependencies.keys, keyFactsOf(engine, dependencies)),
    organisations: makeOrganisationHelpers(dependencies.orgs),
    policies: makePolicyHelpers(engine.policies, dependencies.source, engine.reload),
    onRequest: dependencies.requests.add,
    onReload: dependencies.reloads.add,
    records: dependencies.records.list,
    stages: () => listStages(dependencies.customStages),
    apis: dependencies.definitions,
  }
}
