/** Accepts requests: on TCP ports once the gateway listens, or injected in process. */
import { bridge } from '@turnpike/adapters/fetch-bridge'
import { collectResponse, guessAddressOf, type Handle, type InjectOptions, makeInjectedRequest } from '@turnpike/core'
import type { ManagementApi } from '@turnpike/mgmt-api'
import { isLoopback } from '../config/loopback.ts'
import type { CreatedEngine, EngineDependencies } from './create-engine.ts'
import type { Security } from './create-security.ts'
import { type Embedded, makeEmbedded } from './embedded.ts'
import { explainInjected } from './explain.ts'
import type { ExplainedRequest, Gateway, InjectRequest } from './gateway.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { type OpenPorts, openPorts } from './gateway-ports.ts'
import { guardControl } from './guard-control.ts'
import { guardControlHost } from './guard-control-host.ts'
import type { Lifecycle } from './lifecycle.ts'
import { makeOpenPort } from './wire-api-ports.ts'
import { type WiredDashboard, wireDashboard } from './wire-dashboard.ts'
import { wireFrontEnds } from './wire-front-end.ts'
import { type WiredPaths, wirePaths } from './wire-paths.ts'

export interface Server extends Pick<Gateway, 'inject' | 'explain' | 'handle' | 'listen'>, Omit<Embedded, 'close'> {
  /**
   * Creates a sign-in link for the dashboard. `undefined` if there is no dashboard, if it listens on more than a loopback
   * address, or if no organisation is configured.
   */
  signInUrl(): Promise<string | undefined>
}

export interface ServerDependencies extends EngineDependencies, CreatedEngine {
  readonly frontEnd: GatewayOptions['frontEnd']
  readonly findPem: Security['findPem']
  readonly management: ManagementApi
}

export async function createServer(dependencies: ServerDependencies, lifecycle: Lifecycle): Promise<Server> {
  const dashboard = await wireDashboard(dependencies)
  const paths = createPaths(dependencies, dashboard)
  const { config, log, apiPorts, countRequests = (handle: Handle) => handle } = dependencies
  const { close: closeEmbedded, ...embedded } = makeEmbedded(countRequests(paths.atOwnPort), config, log)
  let tcpPorts: OpenPorts | undefined
  let signInOrigin: string | undefined
  lifecycle.onClose(async (graceMs) => {
    await Promise.all([tcpPorts?.close(graceMs), apiPorts.close(graceMs), closeEmbedded(graceMs)])
  })
  // Registered last, so it runs first: open event streams of the dashboard would keep the ports from closing.
  lifecycle.onClose(() => dashboard?.close())

  return {
    ...embedded,
    handle: paths.atOwnPort,
    async explain(request) {
      const options: ExplainedRequest = typeof request === 'string' ? { url: request } : request
      const { dry = false, port = 0 } = options
      const ownPort = port === dependencies.config.listenPort ? 0 : port
      return explainInjected(dependencies.engine, makeInjectedRequest(options satisfies InjectOptions), dry, ownPort)
    },
    async inject(request) {
      const options: InjectRequest = typeof request === 'string' ? { url: request } : request
      const injected = makeInjectedRequest(options satisfies InjectOptions)
      return collectResponse(await paths.at(options.port ?? 0, injected.path)(injected))
    },
    async listen(port = dependencies.config.listenPort, host = dependencies.config.listenAddress) {
      if (tcpPorts !== undefined) throw new Error('this gateway is already listening')
      tcpPorts = await openAllPorts(dependencies, paths, port, host)
      // APIs with a port of their own that were loaded before `listen` get their sockets through this reload.
      if (dependencies.engine.definitions().some((api) => api.port !== 0)) await dependencies.engine.reload()
      if (dashboard === undefined) return tcpPorts.address
      const origin = paths.sharesDashboard ? tcpPorts.address.url : (tcpPorts.separateUrls[0] ?? '')
      const dashboardHost = paths.sharesDashboard ? host : (dashboard.separate?.host ?? host)
      if (isLoopback(dashboardHost)) signInOrigin = origin
      return { ...tcpPorts.address, dashboardUrl: origin + dashboard.homePath }
    },
    async signInUrl() {
      if (dashboard === undefined || signInOrigin === undefined) return undefined
      const path = await dashboard.signInPath()
      return path === undefined ? undefined : signInOrigin + path
    },
  }
}

function createPaths(dependencies: ServerDependencies, dashboard: WiredDashboard | undefined): WiredPaths {
  const { config, settings, engine, definitions, management, metrics, clock } = dependencies
  const manage = bridge((request, from) => management.fetch(request, guessAddressOf(from, settings.routing)))
  const guarded = guardControl(manage, config, dependencies.identityAdapters.certificates, clock)
  const handle = guardControlHost(guarded, config, engine.handle)
  return wirePaths({
    apis: engine.handle,
    onPort: engine.handleOn,
    ...{ definitions, ownPort: config.listenPort, controlPort: config.controlApiPort },
    management: { handle, owns: management.owns },
    ...{ metrics, dashboard },
  })
}

async function openAllPorts(
  dependencies: ServerDependencies,
  paths: WiredPaths,
  port: number,
  host: string,
): Promise<OpenPorts> {
  const { config, engine, log, definitions, findPem, countRequests: wrapHandler = (handle) => handle } = dependencies
  const tlsNames = { findPem, ofApis: () => definitions().flatMap(({ document }) => document.certificates ?? []) }
  const frontEnds = await wireFrontEnds(dependencies.frontEnd ?? config.frontEnd, config, log, tlsNames)
  const tcpPorts = await openPorts(frontEnds.main, {
    ...{ host, port, controlPort: config.controlApiPort },
    engine: wrapHandler(paths.apis),
    management: paths.onControlPort,
    owns: paths.ownsControl,
    separate: paths.separate,
  })
  const streamIdleMs = config.streamIdleTimeout * 1000
  dependencies.apiPorts.start(makeOpenPort({ engine, frontEnds, log, wrapHandler, host, streamIdleMs }))
  return tcpPorts
}
