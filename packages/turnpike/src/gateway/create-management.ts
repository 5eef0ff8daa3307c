/** Creates what administers a gateway: key and organisation registries, the node group, the management API. */
import { hostname } from 'node:os'
import { describeNode, joinCluster, type NodeState } from '@turnpike/core/engine'
import { type HashFunction, type Maybe, when } from '@turnpike/core/lib'
import { KeyRegistry, makeOrgSessions, type OrgSessions } from '@turnpike/core/session'
import {
  type ApiHealth,
  addHealth,
  type Group,
  type ManagementApi,
  type ManagementOptions,
  makeManagementApi,
  type Workers,
  type WorkersState,
} from '@turnpike/mgmt-api'
import { configShape, type GatewayConfig } from '../config/config-shape.ts'
import { listConfigFields } from '../config/list-config-fields.ts'
import type { Components, CreatedEngine } from './create-engine.ts'
import { debugDefinition } from './debug-definition.ts'
import { explain } from './explain.ts'
import type { GatewayWorker } from './gateway-options.ts'
import { makeProfiler } from './profiler.ts'

export interface CreatedManagement {
  readonly management: ManagementApi
  readonly keys: KeyRegistry
  readonly orgs: OrgSessions
}

export function createManagement(components: Components & CreatedEngine): CreatedManagement {
  const { config, settings, store, signals, clock, ids, log, reloads, lifecycle, certificates } = components
  const { engine, oauth, definitions, passwords, announce, options } = components
  const group = createGroup(components)
  lifecycle.onClose(() => group.close())
  reloads.add(() => group.reloaded())
  const expiry = components.watchExpiry(components.events, definitions)
  lifecycle.onClose(() => expiry.stop())
  reloads.add(() => void expiry.check())
  const registry = {
    ...{ store, signals, clock, ids, log, settings, passwords, announce },
    basicAuthHash: basicAuthHashOf(config),
    policies: engine.policies,
    apis: definitions,
    sessionCache: engine.sessionCache,
    keyLock: engine.keyLock,
    orgs: engine.orgs,
    hasCertificate: (id: string) => when(certificates.get(id), (found) => found !== undefined),
  }
  const keys = new KeyRegistry(registry)
  const orgs = makeOrgSessions(registry)
  const management = makeManagementApi({
    ...{ settings, keys, orgs, oauth, certificates, definitions, group, signals, clock, ids, log },
    // Read again at each use, because some keys change while the gateway runs.
    get options() {
      return toManagementOptions(config)
    },
    policies: engine.policies,
    files: components.source,
    reloader: {
      reload: engine.reload,
      // Errors are in the log and in the reload report, so this promise is not awaited.
      request: () => void engine.reload().catch(() => undefined),
      report: engine.report,
    },
    health: {
      storeCheck: components.storeWatch.last,
      usesRedis: components.shared === true,
      isStoreReachable: components.storeWatch.isReachable,
      isLoaded: () => engine.report() !== undefined,
      of: healthOfWorkers(components),
    },
    workers: options.worker && workersOf(options.worker),
    forgetKeySets: (apiId) => engine.keySets?.forget(apiId),
    invalidateCache: (apiId) => store.responses.invalidate(apiId),
    explain: (request) => explain(engine, request, config.listenPort),
    debug: (input) => debugDefinition(engine, input),
    findStageConfigProblem: engine.findStageConfigProblem,
    findDefinitionProblems: engine.findDefinitionProblems,
    inspect: () => ({
      config: configShape.write(config),
      fields: listConfigFields(config, `${config.vendor.toUpperCase()}_GW_`),
    }),
    profiler: config.enableHttpProfiler ? makeProfiler() : undefined,
  })
  return { management, keys, orgs }
}

function workersOf({ member }: GatewayWorker): Workers {
  return {
    restart: async () => void (await member.request('restart', undefined)),
    state: async () => (await member.request('workers', undefined)) as WorkersState,
  }
}

/** Health counters of an API, added up over all workers. */
function healthOfWorkers({ healthCounters, options }: Components): (apiId: string) => Maybe<ApiHealth> {
  const member = options.worker?.member
  if (member === undefined) return healthCounters.of
  member.handle('health', (apiId) => healthCounters.of(String(apiId)))
  return async (apiId) => addHealth((await member.requestAll('health', apiId)) as ApiHealth[])
}

interface NodeGroup extends Group {
  /** Publishes the state of this node after a reload, instead of at the next heartbeat. */
  reloaded(): void
  close(): Promise<void>
}

/** All nodes on one Redis, or this node alone. */
function createGroup(components: Components & CreatedEngine): NodeGroup {
  const { shared, config, engine, store, signals, clock, ids, log, options } = components
  const host = hostname()
  if (shared === true) {
    const member = joinCluster({ clock, store, signals, engine, ids, log, vendor: config.vendor, host })
    return {
      reload: member.reloadGroup,
      nodes: member.nodes,
      reloaded: () => void member.beat(),
      close: member.close,
    }
  }
  const [id, startedAt] = [ids.uuid(), clock.now()]
  const own = () => describeNode({ id, host, startedAt, clock, engine })
  const member = options.worker?.member
  member?.handle('node', own)
  return {
    reload: () => signals.publish({ kind: 'reload' }),
    nodes: async () => (member === undefined ? [own()] : ((await member.requestAll('node')) as NodeState[])),
    reloaded: () => undefined,
    close: () => Promise.resolve(),
  }
}

const plainHashes: readonly string[] = ['murmur32', 'murmur64', 'murmur128', 'sha256']

/** Hash of basic users' passwords; unknown names mean bcrypt. Source: docs/reference/key-management.md#basic-users. */
function basicAuthHashOf(config: GatewayConfig): 'bcrypt' | HashFunction {
  const word = config.basicAuthHashKeyFunction
  return plainHashes.includes(word) ? (word as HashFunction) : 'bcrypt'
}

export function toManagementOptions(config: GatewayConfig): ManagementOptions {
  return {
    secret: config.secret,
    maxBodyBytes: config.maxManagementBodySize,
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
