/**
 * Connects the dashboard to one gateway. Its modules are loaded only if `dashboard.enabled` is set.
 * Source: docs/reference/dashboard-sso.md#dashboard-configuration.
 */
import { BodyTooLarge, collect, type GatewayRequest, headerOf } from '@turnpike/core/http'
import { parseIpAddress } from '@turnpike/core/lib'
import { guessAddressOf } from '@turnpike/core/pipeline'
import type { Handle } from '@turnpike/core/ports'
import { hostName } from '@turnpike/core/route'
import type { DashboardOptions } from '@turnpike/dashboard-sso'
import type { GatewayConfig } from '../config/config-shape.ts'
import { sharesDashboardPort } from '../config/dashboard-port.ts'
import { dashboardCookies } from '../config/to-settings.ts'
import { version } from '../version.ts'
import { makeManageCall } from './call-management.ts'
import type { Components, CreatedEngine } from './create-engine.ts'
import type { CreatedManagement } from './create-management.ts'
import { explainOriginal } from './explain.ts'

export interface WiredDashboard {
  /** Its own TCP port; `undefined` if it shares the gateway's port, where its paths take precedence. */
  readonly separate: { readonly host: string; readonly port: number; readonly setting: string } | undefined
  readonly homePath: string
  readonly handle: Handle
  owns(path: string): boolean
  /** Path and query of a sign-in link; see `Dashboard.signInPath`. */
  signInPath(): Promise<string | undefined>
  /** Ends open event streams, so that shutdown does not wait for them. */
  close(): void
}

/** Resolves with `undefined` if the dashboard is disabled. */
export async function wireDashboard(
  dependencies: Components & CreatedEngine & Pick<CreatedManagement, 'management'>,
): Promise<WiredDashboard | undefined> {
  const { config, engine, store, settings, clock, ids, log } = dependencies
  if (!config.dashboard.enabled) return undefined
  const [{ makeDashboard, maxBodyBytes, maxDocumentBytes }, { toFetchRequest, toGatewayResponse }] = await Promise.all([
    import('@turnpike/dashboard-sso'),
    import('@turnpike/adapters/fetch-bridge'),
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
      watch: dependencies.requestWatch.attach,
      explain: (request) => explainOriginal(engine, request),
      manage: makeManageCall(dependencies.management, config),
    },
  })

  const isOwnHost = makeHostCheck(config)

  /** Does not read bodies over the limit, because the dashboard checks the caller before the size of the body. */
  const handle: Handle = async (request) => {
    const disconnected = new AbortController()
    request.onAbort(() => disconnected.abort())
    let body: Uint8Array | undefined
    const maxBytes = request.path.startsWith('/api/dashboard/edit/') ? maxDocumentBytes : maxBodyBytes
    let bodyTooLong = (request.bodyLength ?? 0) > maxBytes
    try {
      if (bodyTooLong) request.body?.cancel()
      else body = request.body === undefined ? undefined : await collect(request.body, maxBytes)
    } catch (error) {
      request.body?.cancel()
      if (!(error instanceof BodyTooLarge)) return badRequest()
      bodyTooLong = true
    }
    if (!isOwnHost(request)) return wrongHost()
    const standard = toFetchRequest(request, body, disconnected.signal)
    if (standard === undefined) return badRequest()
    return toGatewayResponse(
      await dashboard.fetch(standard, { address: guessAddressOf(request, settings.routing), bodyTooLong }),
    )
  }
  const { owns, signInPath, close } = dashboard
  return { separate: placeOf(config), homePath: config.dashboard.homePath, handle, owns, signInPath, close }
}

function placeOf(config: GatewayConfig): WiredDashboard['separate'] {
  const { dashboard, listenAddress } = config
  const host = dashboard.listenAddress === '' ? listenAddress : dashboard.listenAddress
  return sharesDashboardPort(config)
    ? undefined
    : { host, port: dashboard.listenPort, setting: 'dashboard.listen_port' }
}

function optionsOf({ dashboard }: GatewayConfig): DashboardOptions {
  return {
    ...dashboard,
    organisations: dashboard.organisations ?? [],
    users: dashboard.users ?? [],
    userGroups: dashboard.userGroups ?? [],
  }
}

/**
 * Whether a request with a session cookie names a host of ours. Another name is one that a page of an attacker has pointed at
 * this address (DNS rebinding): for the browser, the dashboard would then be of the same origin as that page.
 */
function makeHostCheck({
  hostname,
  controlApiHostname,
  dashboard,
}: GatewayConfig): (request: GatewayRequest) => boolean {
  const names = ['localhost', hostname, controlApiHostname, ...(dashboard.hosts ?? [])].map(hostName)
  const known = new Set(names.filter((name) => name !== ''))
  return ({ headers }) => {
    const cookies = headerOf(headers, 'cookie') ?? ''
    if (!dashboardCookies.some((name) => cookies.includes(`${name}=`))) return true
    const host = hostName(headerOf(headers, 'host') ?? '')
    return known.has(host) || parseIpAddress(host.replace(/^\[(.*)\]$/, '$1')) !== undefined
  }
}

const wrongHost = () => ({
  status: 403,
  headers: ['content-type', 'application/json', 'cache-control', 'no-store'],
  body: '{"Status":"Error","Message":"The dashboard has no such host name: add it to dashboard.hosts","Meta":null}',
})

const badRequest = () => ({
  status: 400,
  headers: ['content-type', 'text/plain; charset=utf-8'],
  body: 'Bad Request\n',
})
