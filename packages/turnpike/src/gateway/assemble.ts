/**
 * Puts a gateway together: configuration, ports, engine, management API, helpers. This is the only place that wires;
 * each choice of an adapter stands in a `wire-*.ts` of its own. Nothing is loaded and no port is open after it.
 */
import { dirname } from 'node:path'
import {
  type Engine,
  makeEngine,
  makeInjectedRequest,
  makeKeyRegistry,
  makeOrgSessions,
  type ReloadReport,
  type RequestRecord,
  readAnswer,
  stageOrder,
  when,
  withNoopStages,
} from '@turnpike/core'
import type { OAuth } from '@turnpike/mgmt-api'
import type { LoadedConfig } from '../config/load-config.ts'
import { toSettings } from '../config/to-settings.ts'
import { makeApiPorts } from './api-ports.ts'
import { ConfigError } from './config-error.ts'
import { definitionsPerReload } from './definitions-per-reload.ts'
import type { Gateway, GatewayAddress } from './gateway.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { type OpenPorts, openPorts } from './gateway-ports.ts'
import { guardControl } from './guard-control.ts'
import { makeKeyHelpers, makeOrganisationHelpers } from './key-helpers.ts'
import { makeListeners } from './listeners.ts'
import { logSinks } from './log-requests.ts'
import { makePolicyHelpers } from './policy-helpers.ts'
import { makeReadTemplate } from './read-template.ts'
import { makeSecretLookup } from './secret-lookup.ts'
import { makeOpenPort } from './wire-api-ports.ts'
import { basicAuthHashOf, wireBasics } from './wire-basics.ts'
import { wireCertificates } from './wire-certificates.ts'
import { wireDashboard } from './wire-dashboard.ts'
import { wireEndpoints } from './wire-endpoints.ts'
import { wireEvents } from './wire-events.ts'
import { wireFrontEnds } from './wire-front-end.ts'
import { wireGroup } from './wire-group.ts'
import { wireHealth } from './wire-health.ts'
import { wireIdentity } from './wire-identity.ts'
import { wireLayouts } from './wire-layouts.ts'
import { wireLog } from './wire-log.ts'
import { wireManagement } from './wire-management.ts'
import { wireMetrics } from './wire-metrics.ts'
import { wirePaths } from './wire-paths.ts'
import { wireRecords } from './wire-records.ts'
import { type WiredSource, wireSource } from './wire-source.ts'
import { type StoreWish, wireStore } from './wire-store.ts'

export interface Assembled {
  readonly gateway: Gateway
  readonly engine: Engine
  readonly oauth: OAuth
  readonly source: WiredSource
  /** Where keys live, in words. */
  readonly storeWords: string
}

/** Wires a gateway from options and a configuration that was read. Throws `ConfigError` when that cannot be used. */
export async function assemble(options: GatewayOptions, loaded: LoadedConfig): Promise<Assembled> {
  if (!loaded.usable) throw new ConfigError(loaded.findings)
  const { config } = loaded
  const settings = toSettings(config)
  const log = await wireLog(options.log)
  const environment = options.environment ?? {}
  const { clock, ids, passwords, upstream, upstreamReady } = await wireBasics(
    options,
    (name) => findPem(name),
    config.upstreamClient,
  )
  const fromFile = loaded.file !== undefined
  const wiredStore = await wireStore(storeWish(options, loaded), { config, settings, clock, ids, log })
  const { store, words, signals, marks, counted = (handle) => handle } = wiredStore
  const source = await wireSource(options, config, fromFile, clock)
  const { certificates, findPem, watchExpiry } = await wireCertificates({
    config,
    store,
    signals,
    clock,
    log,
    upstream,
  })
  const identity = await wireIdentity(certificates)
  const health = wireHealth(store, config, clock)
  const folder = loaded.file === undefined ? process.cwd() : dirname(loaded.file)
  const readTemplate = makeReadTemplate(folder, config)
  const { events, announce } = wireEvents({ config, readTemplate, clock, log, upstream, marks })
  const records = await wireRecords(config, clock, log, wiredStore.sinks)
  const { nodeBrotli } = await import('@turnpike/adapters/brotli-node')
  const metrics = await wireMetrics(config)

  const tellFault = (cause: unknown) => log.error('a listener failed', { cause: String(cause) })
  const requests = makeListeners<RequestRecord>(tellFault)
  const reloads = makeListeners<ReloadReport>(tellFault)
  const control = config.controlApiPort
  const apiPorts = makeApiPorts({
    log,
    graceMs: config.gracefulShutdownTimeoutDuration * 1000,
    shared: control > 0 ? [control] : [],
  })
  const { oauth, endpoints } = wireEndpoints(config, {
    ...{ store, clock, ids, log, passwords, upstream, signals, settings },
    engine: () => engine,
  })
  const engine: Engine = makeEngine({
    ports: apiPorts,
    clock,
    store,
    signals,
    upstream,
    log,
    ids,
    passwords,
    ...identity.ports,
    settings,
    source: {
      async read() {
        await upstreamReady()
        return source.read()
      },
    },
    endpoints,
    clientExists: oauth.clientExists,
    records: [
      ...health.sinks,
      ...logSinks(config, log),
      ...(metrics === undefined ? [] : [metrics.sink]),
      // The dashboard tells of requests too, whatever the terminal does.
      ...(options.records === false && !config.dashboard.enabled ? [] : [{ record: requests.tell }]),
    ],
    events,
    analytics: records.analytics,
    onReload(report) {
      metrics?.reloaded(report)
      reloads.tell(report)
    },
    ...(metrics === undefined ? {} : { onBreaker: metrics.breakerChanged }),
    brotli: nodeBrotli,
    findLayout: wireLayouts(config, log),
    secret: makeSecretLookup(environment, config.secrets),
    readTemplate,
    ...(config.noopStages || environment.TURNPIKE_NOOP_STAGES === '1' ? { order: withNoopStages(stageOrder) } : {}),
  })

  metrics?.observe(engine, events, records.analytics, wiredStore.storeCounts)

  const group = wireGroup({
    ...{ shared: wiredStore.shared === true, vendor: config.vendor, engine, store, signals, clock, ids, log },
  })
  reloads.add(() => group.reloaded())
  const definitions = definitionsPerReload(engine)
  const expiry = watchExpiry(events, definitions)
  reloads.add(() => void expiry.check())
  const tlsNames = { findPem, ofApis: () => definitions().flatMap(({ document }) => document.certificates ?? []) }
  const registryParts = {
    store,
    signals,
    clock,
    ids,
    log,
    settings,
    passwords,
    basicAuthHash: basicAuthHashOf(config),
    policies: engine.policies,
    apis: definitions,
    keyring: engine.keyring,
    orgs: engine.orgs,
    announce,
    hasCertificate: (id: string) => when(certificates.get(id), (found) => found !== undefined),
  }
  const keys = makeKeyRegistry(registryParts)
  const orgs = makeOrgSessions(registryParts)
  const management = wireManagement({
    config,
    environment,
    settings,
    engine,
    oauth,
    definitions,
    keys,
    orgs,
    certificates,
    source,
    signals,
    group,
    store,
    clock,
    ids,
    log,
    health,
  })
  const dashboard = await wireDashboard({
    ...{ config, settings, store, clock, ids, log, engine, definitions, requests, reloads },
  })
  const { bridge } = await import('@turnpike/adapters/fetch-bridge')
  const paths = wirePaths({
    apis: engine.handle,
    onPort: engine.handleOn,
    ...{ definitions, ownPort: config.listenPort, controlPort: control },
    management: {
      handle: guardControl(bridge(management.fetch), config, identity.ports.certificates, clock),
      owns: management.owns,
    },
    metrics,
    dashboard,
  })

  let ports: OpenPorts | undefined
  let closing: Promise<void> | undefined
  const close = async (graceMs: number) => {
    dashboard?.close()
    await Promise.all([ports?.close(graceMs), apiPorts.close(graceMs)])
    health.stop()
    await events.close(lastEventsMs)
    await records.close()
    await group.close()
    oauth.close()
    await engine.close()
    expiry.stop()
    certificates.close()
    await identity.close()
    await wiredStore.close()
  }

  const gateway: Gateway = {
    async inject(wish) {
      const given = typeof wish === 'string' ? { url: wish } : wish
      const request = makeInjectedRequest(given)
      const handle = paths.at(given.port ?? 0, request.path)
      return readAnswer(await when(handle(request), (answer) => answer))
    },
    async listen(port, host): Promise<GatewayAddress> {
      if (ports !== undefined) throw new Error('this gateway listens already')
      const frontEnds = await wireFrontEnds(options.frontEnd ?? config.frontEnd, config, log, tlsNames)
      ports = await openPorts(frontEnds.main, {
        host: host ?? config.listenAddress,
        port: port ?? config.listenPort,
        controlPort: config.controlApiPort,
        engine: counted(paths.apis),
        management: paths.onControlPort,
        owns: paths.ownsControl,
        apart: paths.apart,
      })
      apiPorts.start(
        makeOpenPort({
          ...{ engine, frontEnds, log, around: counted, host: host ?? config.listenAddress },
          streamIdleMs: config.streamIdleTimeout * 1000,
        }),
      )
      // What was loaded before there were sockets gets its ports now.
      if (engine.definitions().some((api) => api.port !== 0)) await engine.reload()
      if (dashboard === undefined) return ports.address
      const dashboardUrl = paths.sharesDashboard ? ports.address.url : (ports.apartUrls[0] ?? '')
      return { ...ports.address, dashboardUrl: dashboardUrl + dashboard.homePath }
    },
    reload: engine.reload,
    close(graceMs = config.gracefulShutdownTimeoutDuration * 1000) {
      closing ??= close(graceMs)
      return closing
    },
    keys: makeKeyHelpers(keys),
    organisations: makeOrganisationHelpers(orgs),
    policies: makePolicyHelpers(engine.policies, source, engine.reload),
    onRequest: requests.add,
    onReload: reloads.add,
    records: records.list,
    apis: definitions,
  }
  return { gateway, engine, oauth, source, storeWords: words }
}

/** How long a stop waits for web hooks that are under way. */
const lastEventsMs = 5000

/** Without a file the gateway leaves nothing behind, unless it is told where. */
function storeWish({ store }: GatewayOptions, { config, file }: LoadedConfig): StoreWish {
  if (store !== undefined) return store
  if (config.storage.type === 'redis') return 'redis'
  return file === undefined || config.storage.type === 'memory' ? 'memory' : 'lmdb'
}
