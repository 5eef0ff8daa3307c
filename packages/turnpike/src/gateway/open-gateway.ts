/**
 * The composition root: makes the parts of a gateway and joins them. Nothing is loaded and no port is open after it.
 * Each choice of an adapter is in a `wire-*.ts` file.
 */
import type { Engine } from '@turnpike/core'
import type { OAuth } from '@turnpike/mgmt-api'
import type { LoadedConfig } from '../config/load-config.ts'
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

export interface OpenedGateway {
  readonly gateway: Gateway
  readonly engine: Engine
  readonly oauth: OAuth
  readonly source: WiredSource
  /** Where keys are stored, in words. */
  readonly storeDescription: string
}

/**
 * Makes a gateway from options and a configuration that was read. Rejects with `ConfigError` if that cannot be used;
 * then nothing stays open.
 */
export async function openGateway(options: GatewayOptions, loaded: LoadedConfig): Promise<OpenedGateway> {
  if (!loaded.usable) throw new ConfigError(loaded.findings)
  const lifecycle = new Lifecycle()
  try {
    return await compose(options, loaded, lifecycle)
  } catch (cause) {
    await lifecycle.close(0).catch(() => undefined)
    throw cause
  }
}

async function compose(options: GatewayOptions, loaded: LoadedConfig, lifecycle: Lifecycle): Promise<OpenedGateway> {
  // The client of upstreams looks up certificates, whose store needs the client; it asks at its first connection.
  const platform = await createPlatform(options, loaded, (name) => security.findPem(name), lifecycle)
  const storage = await openStorage(options, loaded, platform, lifecycle)
  const security: Security = await createSecurity(platform, storage, lifecycle)
  const telemetry = await createTelemetry(options, platform, storage, lifecycle)
  const dependencies = { ...platform, ...storage, ...telemetry, ports: security.ports }
  const created = await createEngine(options, dependencies, lifecycle)
  const { api, keys, orgs } = createManagement(dependencies, security, created, lifecycle)
  const { frontEnd } = options
  const { findPem } = security
  const server = await createServer({ ...dependencies, ...created, management: api, frontEnd, findPem }, lifecycle)
  const { engine, oauth, definitions } = created
  const gateway = toGateway({ ...dependencies, engine, definitions, server, keys, orgs, lifecycle })
  return { gateway, engine, oauth, source: storage.source, storeDescription: storage.words }
}
