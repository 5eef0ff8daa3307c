/** Creates the engine of a gateway with its endpoints and stages, and the TCP ports of single APIs. */
import { nodeBrotli } from '@turnpike/adapters/brotli-node'
import {
  type ApiDefinition,
  type Engine,
  type EngineOptions,
  makeEngine,
  stageOrder,
  withNoopStages,
} from '@turnpike/core'
import type { OAuth } from '@turnpike/mgmt-api'
import type { Platform } from './create-platform.ts'
import type { Security } from './create-security.ts'
import type { Telemetry } from './create-telemetry.ts'
import { definitionsPerReload } from './definitions-per-reload.ts'
import type { GatewayOptions } from './gateway-options.ts'
import type { Lifecycle } from './lifecycle.ts'
import { makeApiPorts, type OpenApiPorts } from './open-api-ports.ts'
import type { Storage } from './open-storage.ts'
import { makeSecretLookup } from './secret-lookup.ts'
import { wireEndpoints } from './wire-endpoints.ts'
import { wireErrorTemplates } from './wire-error-templates.ts'
import { wireScripts } from './wire-scripts.ts'
import type { WiredTracing } from './wire-tracing.ts'
import { accessLogOf } from './write-access-log.ts'

export interface EngineDependencies extends Platform, Storage, Telemetry, WiredTracing {
  readonly identityAdapters: Security['identityAdapters']
}

export interface CreatedEngine {
  readonly engine: Engine
  readonly oauth: OAuth
  readonly apiPorts: OpenApiPorts
  /** The active definitions. Returns the same list object until the next reload. */
  readonly definitions: () => readonly ApiDefinition[]
}

export async function createEngine(
  options: GatewayOptions & { readonly logsReloads?: boolean },
  dependencies: EngineDependencies,
  lifecycle: Lifecycle,
): Promise<CreatedEngine> {
  const { config, store, clock, ids, log, passwords, upstream, signals, settings, metrics, events, records } =
    dependencies
  const { oauth, endpoints } = wireEndpoints(config, {
    ...{ store, clock, ids, log, passwords, upstream, signals, settings },
    engine: () => engine,
  })
  const apiPorts = makeApiPorts({
    log,
    graceMs: config.gracefulShutdownTimeoutDuration * 1000,
    shared: config.controlApiPort > 0 ? [config.controlApiPort] : [],
  })
  const scripts = await wireScripts(config, dependencies.folder, lifecycle)
  const engine: Engine = makeEngine({
    ...scripts,
    ...{ clock, store, signals, upstream, log, ids, passwords, settings, events },
    ...dependencies.identityAdapters,
    ...hooksOf(dependencies),
    logsReloads: options.logsReloads ?? true,
    ports: apiPorts,
    source: sourceAfterUpstream(dependencies),
    endpoints: [...endpoints, ...(options.endpoints ?? [])],
    stages: options.stages ?? [],
    clientExists: oauth.clientExists,
    records: dependencies.recordSinks,
    // Without a dashboard nothing can attach, so requests need no check.
    watcher: config.dashboard.enabled ? dependencies.requestWatch.watcher : undefined,
    tracing: dependencies.tracing,
    accessLog: accessLogOf(config, log),
    analytics: records.analytics,
    brotli: nodeBrotli,
    errorTemplates: wireErrorTemplates(config, log),
    errorOverrides: config.errorOverrides,
    secret: makeSecretLookup(dependencies.environment, config),
    readTemplate: dependencies.readTemplate,
    ...orderOf(dependencies),
  })
  dependencies.eventScripts.run = engine.runEventScript
  lifecycle.onClose(() => engine.close())
  lifecycle.onClose(() => oauth.close())
  metrics?.observe(engine, events, records.analytics, dependencies.storeCounts)
  return { engine, oauth, apiPorts, definitions: definitionsPerReload(engine) }
}

/**
 * Waits for the upstream client before definitions are read: compiling a definition creates links to its targets, which
 * needs the client.
 */
function sourceAfterUpstream({ source, upstreamReady }: EngineDependencies): EngineOptions['source'] {
  return {
    async read() {
      await upstreamReady()
      return source.read()
    },
  }
}

function hooksOf({ metrics, reloads }: EngineDependencies): Pick<EngineOptions, 'onReload' | 'onBreaker'> {
  return {
    onReload(report) {
      metrics?.reloaded(report)
      reloads.notify(report)
    },
    ...(metrics === undefined ? {} : { onBreaker: metrics.breakerChanged }),
  }
}

function orderOf({ config, environment }: EngineDependencies): Pick<EngineOptions, 'order'> {
  const withNoops = config.noopStages || environment.TURNPIKE_NOOP_STAGES === '1'
  return withNoops ? { order: withNoopStages(stageOrder) } : {}
}
