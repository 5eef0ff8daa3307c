/** Connects the management API to one gateway. */
import type {
  ApiDefinition,
  CertificateStore,
  Clock,
  Engine,
  GatewaySettings,
  Ids,
  KeyRegistry,
  Log,
  OrgSessions,
  Signals,
  Store,
} from '@turnpike/core'
import {
  type Group,
  type Management,
  type ManagementApi,
  type ManagementOptions,
  makeManagementApi,
  type OAuth,
} from '@turnpike/mgmt-api'
import { configShape, type GatewayConfig } from '../config/config-shape.ts'
import { listConfigFields } from '../config/list-config-fields.ts'
import { debugDefinition } from './debug-definition.ts'
import { explain } from './explain.ts'
import { makeProfiler } from './profiler.ts'
import type { WiredHealth } from './wire-health.ts'
import type { WiredSource } from './wire-source.ts'

/** Bytes of a management call's body at most. */
const maxBodyBytes = 10 * 1024 * 1024

export interface ManagementDependencies {
  readonly config: GatewayConfig
  readonly settings: GatewaySettings
  readonly engine: Engine
  readonly oauth: OAuth
  readonly definitions: () => readonly ApiDefinition[]
  readonly keys: KeyRegistry
  readonly orgs: OrgSessions
  readonly certificates: CertificateStore
  readonly source: WiredSource
  readonly signals: Signals
  readonly group: Group
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly health: WiredHealth
}

export function wireManagement(dependencies: ManagementDependencies): ManagementApi {
  const { engine, config, health } = dependencies
  const management: Management = {
    settings: dependencies.settings,
    // Read again at each use, because some keys change while the gateway runs.
    get options() {
      return toManagementOptions(config)
    },
    keys: dependencies.keys,
    orgs: dependencies.orgs,
    oauth: dependencies.oauth,
    certificates: dependencies.certificates,
    policies: engine.policies,
    definitions: dependencies.definitions,
    files: dependencies.source,
    reloader: {
      reload: engine.reload,
      // Errors are in the log and in the reload report, so this promise is not awaited.
      request: () => void engine.reload().catch(() => undefined),
      report: engine.report,
    },
    group: dependencies.group,
    signals: dependencies.signals,
    clock: dependencies.clock,
    ids: dependencies.ids,
    log: dependencies.log,
    health: {
      storeCheck: health.watch.last,
      isStoreReachable: async () => (await dependencies.store.check()).ok,
      isLoaded: () => engine.report() !== undefined,
      of: health.of,
    },
    forgetKeySets: (apiId) => dependencies.engine.keySets?.forget(apiId),
    invalidateCache: (apiId) => dependencies.store.responses.invalidate(apiId),
    explain: (request) => explain(engine, request, config.listenPort),
    debug: (input) => debugDefinition(engine, input),
    findStageConfigProblem: engine.findStageConfigProblem,
    inspect: () => ({
      config: configShape.write(config),
      fields: listConfigFields(config, `${config.vendor.toUpperCase()}_GW_`),
    }),
    profiler: config.enableHttpProfiler ? makeProfiler() : undefined,
  }
  return makeManagementApi(management)
}

export function toManagementOptions(config: GatewayConfig): ManagementOptions {
  return {
    secret: config.secret,
    maxBodyBytes,
    livenessName: probeName(config.healthCheckEndpointName, 'hello'),
    readinessName: probeName(config.readinessCheckEndpointName, 'ready'),
    healthChecks: config.healthCheck.enableHealthChecks,
    hashedKeysListing: config.enableHashedKeysListing,
    definitionsByDashboard: config.useDbAppConfigs,
    policiesByService: config.policies.policySource === 'service',
    unsafePolicyIds: config.allowUnsafePolicyIds,
    suppressDefaultOrgStore: config.suppressDefaultOrgStore,
    configInspection: config.enableConfigInspection,
    docs: config.docs.enabled,
    ...(config.listenAddress === '' ? {} : { gatewayUrl: `http://${config.listenAddress}:${config.listenPort}` }),
  }
}

function probeName(name: string, byDefault: string): string {
  const plain = name.replace(/^\/+/, '')
  return plain === '' ? byDefault : plain
}
