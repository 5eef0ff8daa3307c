/**
 * The composition root: creates the components of a gateway and connects them. It opens the storage, but loads no
 * definitions and opens no TCP ports. Each `wire-*.ts` file chooses adapters for one component.
 */
import type { Engine } from '@turnpike/core/engine'
import { listStages } from '@turnpike/core/pipeline'
import type { OAuth } from '@turnpike/mgmt-api'
import type { LoadedConfig } from '../config/load-config.ts'
import { type ApplyConfig, makeApplyConfig } from './apply-config.ts'
import { ConfigError } from './config-error.ts'
import { type Components, type CreatedEngine, createEngine } from './create-engine.ts'
import { type CreatedManagement, createManagement } from './create-management.ts'
import { createPlatform } from './create-platform.ts'
import { createSecurity, type Security } from './create-security.ts'
import { createServer, type Server } from './create-server.ts'
import { createTelemetry } from './create-telemetry.ts'
import type { Gateway } from './gateway.ts'
import type { OpenOptions } from './gateway-options.ts'
import { makeKeyHelpers, makeOrganisationHelpers } from './key-helpers.ts'
import { Lifecycle } from './lifecycle.ts'
import { openStorage } from './open-storage.ts'
import { makePolicyHelpers } from './policy-helpers.ts'
import { type WiredSource, wireSource } from './wire-source.ts'
import { wireTracing } from './wire-tracing.ts'

export interface OpenedGateway {
  readonly gateway: Gateway
  readonly engine: Engine
  readonly oauth: OAuth
  readonly source: WiredSource
  /** Applies changed keys of the configuration. */
  readonly applyConfig: ApplyConfig
  /** Loads the management API before its first call needs it. */
  loadManagement(): Promise<unknown>
  /** Creates a sign-in link for the dashboard, once the gateway listens; see `Server.signInUrl`. */
  signInUrl(): Promise<string | undefined>
  /** Where keys are stored, as text for the start banner. */
  readonly storeDescription: string
}

/**
 * Creates a gateway from options and a loaded configuration. Rejects with `ConfigError` if the configuration is
 * invalid. If it rejects, nothing stays open.
 */
export async function openGateway(options: OpenOptions, loaded: LoadedConfig): Promise<OpenedGateway> {
  if (!loaded.usable) throw new ConfigError(loaded.findings)
  const lifecycle = new Lifecycle()
  try {
    return await compose(options, loaded, lifecycle)
  } catch (cause) {
    await lifecycle.close(0).catch(() => undefined)
    throw cause
  }
}

async function compose(options: OpenOptions, loaded: LoadedConfig, lifecycle: Lifecycle): Promise<OpenedGateway> {
  // The upstream client needs the certificate store, which needs the client. The client looks up certificates only
  // when it connects, so `security` is assigned by then.
  const platform = await createPlatform(options, loaded, (name) => security.findPem(name), lifecycle)
  const tracing = await wireTracing(platform)
  const storage = await openStorage({ ...platform, ...tracing })
  const source = wireSource(platform)
  const security: Security = createSecurity(platform, storage)
  const telemetry = await createTelemetry(platform, storage)
  const components = { ...platform, ...tracing, ...storage, source, ...security, ...telemetry }
  const created = { ...components, ...(await createEngine(components)) }
  const administered = { ...created, ...createManagement(created) }
  const server = await createServer(administered)
  const { engine, oauth, management } = administered
  // On a virtual clock, time passes while a file loads.
  if (options.clock !== undefined) await management.routes()
  return {
    ...{ engine, oauth, source },
    gateway: toGateway(administered, server),
    applyConfig: makeApplyConfig({ ...platform, engine }),
    storeDescription: storage.storeDescription,
    signInUrl: server.signInUrl,
    loadManagement: management.routes,
  }
}

function toGateway(parts: Components & CreatedEngine & CreatedManagement, server: Server): Gateway {
  const { engine, config, lifecycle, source, options } = parts
  const graceMs = config.gracefulShutdownTimeoutDuration * 1000
  const { signInUrl: _, ...served } = server
  return {
    ...served,
    reload: engine.reload,
    close: (ms = graceMs) => lifecycle.close(ms),
    keys: makeKeyHelpers(parts.keys, parts),
    organisations: makeOrganisationHelpers(parts.orgs),
    policies: makePolicyHelpers(engine.policies, source, engine.reload),
    onRequest: parts.requests.add,
    onReload: parts.reloads.add,
    records: parts.records.list,
    stages: () => listStages(options.stages ?? []),
    apis: parts.definitions,
  }
}
