/**
 * Puts a gateway together: configuration, ports, engine, management API, helpers. This is the only place that wires;
 * each choice of an adapter stands in a `wire-*.ts` of its own. Nothing is loaded and no port is open after it.
 */
import {
  type ApiDefinition,
  type Engine,
  makeEngine,
  makeInjectedRequest,
  makeKeyRegistry,
  makeMemorySignals,
  makeOrgSessions,
  type ReloadReport,
  type RequestRecord,
  readAnswer,
  type Store,
  stageOrder,
  when,
  withNoopStages,
} from '@turnpike/core'
import type { LoadedConfig } from '../config/load-config.ts'
import { toSettings } from '../config/to-settings.ts'
import { ConfigError } from './config-error.ts'
import type { Gateway, GatewayAddress } from './gateway.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { type OpenPorts, openPorts } from './gateway-ports.ts'
import { makeKeyHelpers, makeOrganisationHelpers } from './key-helpers.ts'
import { makeListeners } from './listeners.ts'
import { logSinks } from './log-requests.ts'
import { makePolicyHelpers } from './policy-helpers.ts'
import { makeSecretLookup } from './secret-lookup.ts'
import { basicAuthHashOf, wireBasics } from './wire-basics.ts'
import { wireFrontEnd } from './wire-front-end.ts'
import { wireHealth } from './wire-health.ts'
import { wireIdentity } from './wire-identity.ts'
import { wireLayouts } from './wire-layouts.ts'
import { wireLog } from './wire-log.ts'
import { wireManagement } from './wire-management.ts'
import { type WiredSource, wireSource } from './wire-source.ts'
import { wireStore } from './wire-store.ts'

export interface Assembled {
  readonly gateway: Gateway
  readonly engine: Engine
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
  const { clock, ids, passwords, upstream, upstreamReady } = await wireBasics(options)
  const identity = await wireIdentity()
  const fromFile = loaded.file !== undefined
  const { store, words, owned } = await wireStore(storeWish(options, loaded), config, clock)
  const source = await wireSource(options, config, fromFile, clock)
  const signals = makeMemorySignals({ log })
  const health = wireHealth(store, config, clock)

  const tellFault = (cause: unknown) => log.error('a listener failed', { cause: String(cause) })
  const requests = makeListeners<RequestRecord>(tellFault)
  const reloads = makeListeners<ReloadReport>(tellFault)
  const engine = makeEngine({
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
    records: [
      ...health.sinks,
      ...logSinks(config, log),
      ...(options.records === false ? [] : [{ record: requests.tell }]),
    ],
    onReload: reloads.tell,
    findLayout: wireLayouts(config, log),
    secret: makeSecretLookup(environment, config.secrets),
    ...(config.noopStages || environment.TURNPIKE_NOOP_STAGES === '1' ? { order: withNoopStages(stageOrder) } : {}),
  })

  const definitions = definitionsPerReload(engine)
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
  }
  const keys = makeKeyRegistry(registryParts)
  const orgs = makeOrgSessions(registryParts)
  const management = wireManagement({
    config,
    environment,
    settings,
    engine,
    definitions,
    keys,
    orgs,
    source,
    signals,
    store,
    clock,
    ids,
    log,
    health,
  })
  const { bridge } = await import('@turnpike/adapters/fetch-bridge')
  const managementHandle = bridge(management.fetch)

  let ports: OpenPorts | undefined
  let closing: Promise<void> | undefined
  const close = async (graceMs: number) => {
    await ports?.close(graceMs)
    health.stop()
    await engine.close()
    await identity.close()
    if (owned) await store.close()
  }

  const gateway: Gateway = {
    async inject(wish) {
      const request = makeInjectedRequest(typeof wish === 'string' ? { url: wish } : wish)
      const handle = management.owns(request.path) ? managementHandle : engine.handle
      return readAnswer(await when(handle(request), (answer) => answer))
    },
    async listen(port, host): Promise<GatewayAddress> {
      if (ports !== undefined) throw new Error('this gateway listens already')
      ports = await openPorts(await wireFrontEnd(options.frontEnd ?? config.frontEnd, config, log), {
        host: host ?? config.listenAddress,
        port: port ?? config.listenPort,
        controlPort: config.controlApiPort,
        engine: engine.handle,
        management: managementHandle,
        owns: management.owns,
      })
      return ports.address
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
    apis: definitions,
  }
  return { gateway, engine, source, storeWords: words }
}

/** Without a file the gateway leaves nothing behind. */
function storeWish({ store }: GatewayOptions, { config, file }: LoadedConfig): 'memory' | 'lmdb' | Store {
  if (store !== undefined) return store
  return file === undefined || config.storage.type === 'memory' ? 'memory' : 'lmdb'
}

/** One list a reload, so that those who make an index of it know when to make it anew. */
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
