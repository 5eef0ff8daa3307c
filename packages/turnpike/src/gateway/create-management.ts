/** Creates what administers a gateway: key and organisation registries, the node group, the management API. */
import {
  type KeyRegistry,
  type KeyRegistryDependencies,
  makeKeyRegistry,
  makeOrgSessions,
  type OrgSessions,
  when,
} from '@turnpike/core'
import type { ManagementApi } from '@turnpike/mgmt-api'
import type { CreatedEngine, EngineDependencies } from './create-engine.ts'
import type { Security } from './create-security.ts'
import type { Lifecycle } from './lifecycle.ts'
import { basicAuthHashOf } from './wire-basics.ts'
import { wireGroup } from './wire-group.ts'
import { wireManagement } from './wire-management.ts'

export interface CreatedManagement {
  readonly api: ManagementApi
  readonly keys: KeyRegistry
  readonly orgs: OrgSessions
}

export function createManagement(
  dependencies: EngineDependencies,
  security: Security,
  created: CreatedEngine,
  lifecycle: Lifecycle,
): CreatedManagement {
  const { config, settings, source, store, signals, clock, ids, log, health, reloads, shared } = dependencies
  const { certificates } = security
  const { engine, oauth, definitions } = created
  const { vendor } = config
  const group = wireGroup({ shared: shared === true, vendor, engine, store, signals, clock, ids, log })
  lifecycle.onClose(() => group.close())
  reloads.add(() => group.reloaded())
  const expiry = security.watchExpiry(dependencies.events, definitions)
  lifecycle.onClose(() => expiry.stop())
  reloads.add(() => void expiry.check())
  const registry = registryDependencies(dependencies, security, created)
  const keys = makeKeyRegistry(registry)
  const orgs = makeOrgSessions(registry)
  const api = wireManagement({
    ...{ config, settings, engine, oauth, definitions, keys, orgs, certificates },
    ...{ source, signals, group, store, clock, ids, log, health },
  })
  return { api, keys, orgs }
}

function registryDependencies(
  { store, signals, clock, ids, log, settings, passwords, config, announce }: EngineDependencies,
  { certificates }: Security,
  { engine, definitions }: CreatedEngine,
): KeyRegistryDependencies {
  return {
    ...{ store, signals, clock, ids, log, settings, passwords, announce },
    basicAuthHash: basicAuthHashOf(config),
    policies: engine.policies,
    apis: definitions,
    sessionCache: engine.sessionCache,
    keyLock: engine.keyLock,
    orgs: engine.orgs,
    hasCertificate: (id) => when(certificates.get(id), (found) => found !== undefined),
  }
}
