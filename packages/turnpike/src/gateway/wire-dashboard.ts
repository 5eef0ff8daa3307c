/**
 * The dashboard of one gateway: what the configuration says of it, and the parts of the gateway it looks at. Nothing
 * of it is loaded unless `dashboard.enabled` is set. Source: spec/dashboard-sso.md 1.
 */
import type {
  Clock,
  Engine,
  GatewaySettings,
  Handle,
  Ids,
  Log,
  ReloadReport,
  RequestRecord,
  Store,
} from '@turnpike/core'
import type { DashboardOptions, WatchedGateway } from '@turnpike/dashboard-sso'
import type { GatewayConfig } from '../config/config-shape.ts'
import { version } from '../version.ts'
import type { Listeners } from './listeners.ts'

export interface DashboardDependencies {
  readonly config: GatewayConfig
  readonly settings: GatewaySettings
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly engine: Engine
  readonly definitions: WatchedGateway['definitions']
  readonly requests: Listeners<RequestRecord>
  readonly reloads: Listeners<ReloadReport>
}

export interface WiredDashboard {
  /** Where it listens apart; `undefined`: it shares the gateway's port, and its paths come first there. */
  readonly separate: { readonly host: string; readonly port: number } | undefined
  readonly homePath: string
  readonly handle: Handle
  owns(path: string): boolean
  /** Ends open feeds, so that a stop need not wait for them. */
  close(): void
}

/** `undefined`: it is switched off. */
export async function wireDashboard(dependencies: DashboardDependencies): Promise<WiredDashboard | undefined> {
  const { config, engine, store, settings, clock, ids, log } = dependencies
  if (!config.dashboard.enabled) return undefined
  const [{ makeDashboard, maxBodyBytes }, { toFetchRequest, toGatewayResponse }, { BodyTooLarge, collect }] =
    await Promise.all([
      import('@turnpike/dashboard-sso'),
      import('@turnpike/adapters/fetch-bridge'),
      import('@turnpike/core'),
    ])
  const dashboard = makeDashboard({
    options: optionsOf(config),
    ...{ store, settings, clock, ids, log },
    gateway: {
      version,
      definitions: dependencies.definitions,
      policies: engine.policies,
      breakers: engine.breakers,
      report: engine.report,
      reload: engine.reload,
      onRequest: dependencies.requests.add,
      onReload: dependencies.reloads.add,
    },
  })

  /** Bodies over the limit are left unread: who may send one is asked before what it says. */
  const handle: Handle = async (request) => {
    const disconnected = new AbortController()
    request.onAbort(() => disconnected.abort())
    let body: Uint8Array | undefined
    let bodyTooLong = (request.bodyLength ?? 0) > maxBodyBytes
    try {
      if (bodyTooLong) request.body?.cancel()
      else body = request.body === undefined ? undefined : await collect(request.body, maxBodyBytes)
    } catch (error) {
      request.body?.cancel()
      if (!(error instanceof BodyTooLarge)) return badRequest()
      bodyTooLong = true
    }
    const standard = toFetchRequest(request, body, disconnected.signal)
    if (standard === undefined) return badRequest()
    return toGatewayResponse(await dashboard.fetch(standard, { address: request.remoteAddress, bodyTooLong }))
  }
  const { owns, close } = dashboard
  return { separate: placeOf(config), homePath: config.dashboard.homePath, handle, owns, close }
}

function placeOf({ dashboard, listenAddress, listenPort }: GatewayConfig): WiredDashboard['separate'] {
  const host = dashboard.listenAddress === '' ? listenAddress : dashboard.listenAddress
  const shares = dashboard.listenPort === 0 || (dashboard.listenPort === listenPort && host === listenAddress)
  return shares ? undefined : { host, port: dashboard.listenPort }
}

function optionsOf({ dashboard }: GatewayConfig): DashboardOptions {
  return {
    ...dashboard,
    organisations: dashboard.organisations ?? [],
    users: dashboard.users ?? [],
    userGroups: dashboard.userGroups ?? [],
  }
}

const badRequest = () => ({
  status: 400,
  headers: ['content-type', 'text/plain; charset=utf-8'],
  body: 'Bad Request\n',
})
