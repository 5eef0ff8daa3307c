/** A gateway as programs use it, from its parts. */
import type { Engine, KeyRegistry, OrgSessions } from '@turnpike/core'
import type { CreatedEngine } from './create-engine.ts'
import type { Platform } from './create-platform.ts'
import type { Server } from './create-server.ts'
import type { Telemetry } from './create-telemetry.ts'
import type { Gateway } from './gateway.ts'
import { makeKeyHelpers, makeOrganisationHelpers } from './key-helpers.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { Storage } from './open-storage.ts'
import { makePolicyHelpers } from './policy-helpers.ts'

export interface GatewayParts extends Pick<Telemetry, 'requests' | 'reloads' | 'records'> {
  readonly config: Platform['config']
  readonly source: Storage['source']
  readonly engine: Engine
  readonly definitions: CreatedEngine['definitions']
  readonly server: Server
  readonly keys: KeyRegistry
  readonly orgs: OrgSessions
  readonly lifecycle: Lifecycle
}

export function toGateway({ engine, server, lifecycle, ...parts }: GatewayParts): Gateway {
  const graceMs = parts.config.gracefulShutdownTimeoutDuration * 1000
  return {
    inject: server.inject,
    listen: server.listen,
    reload: engine.reload,
    close: (ms = graceMs) => lifecycle.close(ms),
    keys: makeKeyHelpers(parts.keys),
    organisations: makeOrganisationHelpers(parts.orgs),
    policies: makePolicyHelpers(engine.policies, parts.source, engine.reload),
    onRequest: parts.requests.add,
    onReload: parts.reloads.add,
    records: parts.records.list,
    apis: parts.definitions,
  }
}
