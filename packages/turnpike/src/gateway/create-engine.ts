/** The engine of a gateway with its endpoints and stages, and the TCP ports that APIs have of their own. */
import {
  type ApiDefinition,
  type Engine,
  type EngineOptions,
  makeEngine,
  stageOrder,
  withNoopStages,
} from '@turnpike/core'
import type { OAuth } from '@turnpike/mgmt-api'
import { makeApiPorts, type OpenApiPorts } from './api-ports.ts'
import type { Platform } from './create-platform.ts'
import type { Security } from './create-security.ts'
import type { Telemetry } from './create-telemetry.ts'
import { definitionsPerReload } from './definitions-per-reload.ts'
import type { GatewayOptions } from './gateway-options.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { Storage } from './open-storage.ts'
import { makeSecretLookup } from './secret-lookup.ts'
import { wireEndpoints } from './wire-endpoints.ts'
import { wireLayouts } from './wire-layouts.ts'

export interface EngineParts extends Platform, Storage, Telemetry {
  readonly ports: Security['ports']
}

export interface CreatedEngine {
  readonly engine: Engine
  readonly oauth: OAuth
  readonly apiPorts: OpenApiPorts
  /** The definitions in force; the same list until the next reload. */
  readonly definitions: () => readonly ApiDefinition[]
}

export async function createEngine(
  options: GatewayOptions,
  parts: EngineParts,
  lifecycle: Lifecycle,
): Promise<CreatedEngine> {
  const { config, store, clock, ids, log, passwords, upstream, signals, settings, metrics, events, records } = parts
  const { nodeBrotli } = await import('@turnpike/adapters/brotli-node')
  const { oauth, endpoints } = wireEndpoints(config, {
    ...{ store, clock, ids, log, passwords, upstream, signals, settings },
    engine: () => engine,
  })
  const apiPorts = makeApiPorts({
    log,
    graceMs: config.gracefulShutdownTimeoutDuration * 1000,
    shared: config.controlApiPort > 0 ? [config.controlApiPort] : [],
  })
  const engine: Engine = makeEngine({
    ...{ clock, store, signals, upstream, log, ids, passwords, settings, events },
    ...parts.ports,
    ...hooksOf(parts),
    ports: apiPorts,
    source: sourceAfterUpstream(parts),
    endpoints: [...endpoints, ...(options.endpoints ?? [])],
    plugins: options,
    clientExists: oauth.clientExists,
    records: parts.recordSinks,
    analytics: records.analytics,
    brotli: nodeBrotli,
    findLayout: wireLayouts(config, log),
    secret: makeSecretLookup(parts.environment, config.secrets),
    readTemplate: parts.readTemplate,
    ...orderOf(parts),
  })
  lifecycle.onClose(() => engine.close())
  lifecycle.onClose(() => oauth.close())
  metrics?.observe(engine, events, records.analytics, parts.storeCounts)
  return { engine, oauth, apiPorts, definitions: definitionsPerReload(engine) }
}

/** The client of upstreams is loaded at the first read, because definitions are compiled with it. */
function sourceAfterUpstream({ source, upstreamReady }: EngineParts): EngineOptions['source'] {
  return {
    async read() {
      await upstreamReady()
      return source.read()
    },
  }
}

function hooksOf({ metrics, reloads }: EngineParts): Pick<EngineOptions, 'onReload' | 'onBreaker'> {
  return {
    onReload(report) {
      metrics?.reloaded(report)
      reloads.tell(report)
    },
    ...(metrics === undefined ? {} : { onBreaker: metrics.breakerChanged }),
  }
}

function orderOf({ config, environment }: EngineParts): Pick<EngineOptions, 'order'> {
  const withNoops = config.noopStages || environment.TURNPIKE_NOOP_STAGES === '1'
  return withNoops ? { order: withNoopStages(stageOrder) } : {}
}
