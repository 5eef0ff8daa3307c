/**
 * The composition root: creates the components of a gateway and connects them. It opens the storage, but loads no
 * definitions and opens no TCP ports. Each `wire-*.ts` file chooses adapters for one component.
 */
import type { Engine } from '@turnpike/core'
import type { OAuth } from '@turnpike/mgmt-api'
import type { LoadedConfig } from '../config/load-config.ts'
import { type ApplyConfig, makeApplyConfig } from './apply-config.ts'
import { ConfigError } from './config-error.ts'
import { createEngine } from './create-engine.ts'
import { createManagement } from './create-management.ts'
import { createPlatform } from './create-platform.ts'
import { createSecurity, type Security } from './create-security.ts'
import { createServer } from './create-server.ts'
import { createTelemetry } from './create-telemetry.ts'
import type { Gateway } from './gateway.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { Lifecycle } from './lifecycle.ts'
import { openStorage } from './open-storage.ts'
import { toGateway } from './to-gateway.ts'
import type { WiredSource } from './wire-source.ts'
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

export interface OpenOptions extends GatewayOptions {
  /** Whether the log names the result of each reload. Default: true. */
  readonly logsReloads?: boolean
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
  const tracing = await wireTracing(options, platform, lifecycle)
  const storage = await openStorage(options, loaded, { ...platform, ...tracing }, lifecycle)
  const security: Security = createSecurity(platform, storage, lifecycle)
  const telemetry = await createTelemetry(options, platform, storage, lifecycle)
  const dependencies = {
    ...platform,
    ...storage,
    ...telemetry,
    ...tracing,
    identityAdapters: security.identityAdapters,
  }
  const created = await createEngine(options, dependencies, lifecycle)
  const { api, keys, orgs } = createManagement(dependencies, security, created, lifecycle)
  const { frontEnd } = options
  const { findPem } = security
  const server = await createServer({ ...dependencies, ...created, management: api, frontEnd, findPem }, lifecycle)
  const { engine, oauth, definitions } = created
  const gateway = toGateway({
    customStages: options.stages ?? [],
    ...dependencies,
    engine,
    definitions,
    server,
    keys,
    orgs,
    lifecycle,
  })
  // On a virtual clock, time passes while a file loads.
  if (options.clock !== undefined) await api.routes()
  const { source, description: storeDescription } = storage
  const applyConfig = makeApplyConfig({ ...platform, engine })
  return {
    ...{ gateway, engine, oauth, source, applyConfig, storeDescription },
    signInUrl: server.signInUrl,
    loadManagement: api.routes,
  }
}
