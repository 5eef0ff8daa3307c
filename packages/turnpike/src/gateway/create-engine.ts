/** Creates the engine of a gateway with its endpoints and stages, and the TCP ports of single APIs. */
import { nodeBrotli } from '@turnpike/adapters/brotli-node'
import type { ApiDefinition } from '@turnpike/core/definition'
import { type Engine, type EngineOptions, makeEngine, type ReloadReport } from '@turnpike/core/engine'
import { stageOrder, withNoopStages } from '@turnpike/core/pipeline'
import { makeBatchEndpoint, makeOAuth, makeOAuthEndpoints, type OAuth } from '@turnpike/mgmt-api'
import { toOAuthSettings } from '../config/to-settings.ts'
import type { Platform } from './create-platform.ts'
import type { Security } from './create-security.ts'
import type { Telemetry } from './create-telemetry.ts'
import { makeApiPorts, type OpenApiPorts } from './open-api-ports.ts'
import { makeSecretLookup } from './secret-lookup.ts'
import type { Storage } from './storage.ts'
import { wireErrorTemplates } from './wire-error-templates.ts'
import { wireScripts } from './wire-scripts.ts'
import type { WiredSource } from './wire-source.ts'
import type { WiredTracing } from './wire-tracing.ts'
import { accessLogOf } from './write-access-log.ts'

/** The components that exist before the engine. */
export interface Components extends Platform, Storage, Security, Telemetry, WiredTracing {
  readonly source: WiredSource
}

export interface CreatedEngine {
  readonly engine: Engine
  readonly oauth: OAuth
  readonly apiPorts: OpenApiPorts
  /** The active definitions. Returns the same list object until the next reload, so callers can index it. */
  readonly definitions: () => readonly ApiDefinition[]
}

export async function createEngine(components: Components): Promise<CreatedEngine> {
  const { options, config, store, clock, ids, log, passwords, upstream, signals, settings, lifecycle } = components
  const { metrics, events, records, environment } = components
  const oauth = makeOAuth({
    ...{ store, clock, ids, log, passwords, upstream, signals, settings },
    oauth: toOAuthSettings(config),
    engine: () => engine,
  })
  const apiPorts = makeApiPorts({
    log,
    graceMs: config.gracefulShutdownTimeoutDuration * 1000,
    shared: config.controlApiPort > 0 ? [config.controlApiPort] : [],
  })
  const scripts = await wireScripts(components)
  const withNoops = config.noopStages || environment.TURNPIKE_NOOP_STAGES === '1'
  const engine: Engine = makeEngine({
    ...scripts,
    ...{ clock, store, signals, upstream, log, ids, passwords, settings, events },
    ...components.identityAdapters,
    onReload(report) {
      metrics?.reloaded(report)
      components.reloads.notify(report)
    },
    ...(metrics === undefined ? {} : { onBreaker: metrics.breakerChanged }),
    logsReloads: options.logsReloads ?? true,
    group: components.reloadGroup,
    sharedKeyLock: components.sharedKeyLock,
    ports: apiPorts,
    source: sourceAfterUpstream(components),
    endpoints: [
      makeBatchEndpoint(config.batch),
      ...makeOAuthEndpoints(oauth, config.secret),
      ...(options.endpoints ?? []),
    ],
    stages: options.stages ?? [],
    clientExists: oauth.clientExists,
    records: components.recordSinks,
    // Without a dashboard nothing can attach, so requests need no check.
    watcher: config.dashboard.enabled ? components.requestWatch.watcher : undefined,
    tracing: components.tracing,
    accessLog: accessLogOf(config, log),
    analytics: records.analytics,
    brotli: nodeBrotli,
    errorTemplates: wireErrorTemplates(config, log),
    errorOverrides: config.errorOverrides,
    secret: makeSecretLookup(environment, config),
    readTemplate: components.readTemplate,
    ...(withNoops ? { order: withNoopStages(stageOrder) } : {}),
  })
  components.eventScripts.run = engine.runEventScript
  lifecycle.onClose(() => engine.close())
  lifecycle.onClose(() => oauth.close())
  metrics?.observe(engine, events, records.analytics, components.storeCounts)
  return { engine, oauth, apiPorts, definitions: definitionsPerReload(engine) }
}

/**
 * Waits for the upstream client before definitions are read: compiling a definition creates links to its targets, which
 * needs the client.
 */
function sourceAfterUpstream({ source, upstreamReady }: Components): EngineOptions['source'] {
  return {
    async read() {
      await upstreamReady()
      return source.read()
    },
  }
}

function definitionsPerReload(engine: Engine): () => readonly ApiDefinition[] {
  let report: ReloadReport | undefined
  let list: readonly ApiDefinition[] = []
  return () => {
    if (engine.report() !== report) {
      report = engine.report()
      list = engine.definitions()
    }
    return list
  }
}
