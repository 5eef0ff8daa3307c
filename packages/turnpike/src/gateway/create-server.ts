/** Accepts requests: on TCP ports once the gateway listens, or injected in process. */
import { bridge } from '@turnpike/adapters/fetch-bridge'
import { collectResponse, type InjectOptions, makeInjectedRequest } from '@turnpike/core/engine'
import { guessAddressOf } from '@turnpike/core/pipeline'
import type { Handle } from '@turnpike/core/ports'
import { bodyLimitMessage, statusBody } from '@turnpike/mgmt-api'
import { isLoopback } from '../config/loopback.ts'
import type { Components, CreatedEngine } from './create-engine.ts'
import type { CreatedManagement } from './create-management.ts'
import { type Embedded, makeEmbedded } from './embedded.ts'
import { explainInjected } from './explain.ts'
import type { ExplainedRequest, Gateway, InjectRequest } from './gateway.ts'
import { type OpenPorts, openPorts } from './gateway-ports.ts'
import { guardControl, guardControlHost } from './guard-control.ts'
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

type ServerParts = Components & CreatedEngine & Pick<CreatedManagement, 'management'>

export async function createServer(parts: ServerParts): Promise<Server> {
  const dashboard = await wireDashboard(parts)
  const paths = createPaths(parts, dashboard)
  const { config, log, engine, apiPorts, lifecycle, countRequests = (handle: Handle) => handle } = parts
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
      const ownPort = port === config.listenPort ? 0 : port
      return explainInjected(engine, makeInjectedRequest(options satisfies InjectOptions), dry, ownPort)
    },
    async inject(request) {
      const options: InjectRequest = typeof request === 'string' ? { url: request } : request
      const injected = makeInjectedRequest(options satisfies InjectOptions)
      return collectResponse(await paths.at(options.port ?? 0, injected.path)(injected))
    },
    async listen(port = config.listenPort, host = config.listenAddress) {
      if (tcpPorts !== undefined) throw new Error('this gateway is already listening')
      tcpPorts = await openAllPorts(parts, paths, port, host)
      // APIs with a port of their own that were loaded before `listen` get their sockets through this reload.
      if (engine.definitions().some((api) => api.port !== 0)) await engine.reload()
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

function createPaths(parts: ServerParts, dashboard: WiredDashboard | undefined): WiredPaths {
  const { config, settings, engine, management, clock } = parts
  const limit = config.maxManagementBodySize
  const manage = bridge((request, from) => management.fetch(request, guessAddressOf(from, settings.routing)), {
    maxBodyBytes: limit,
    tooLarge: () => {
      const headers = { 'content-type': 'application/json' }
      return new Response(statusBody('error', bodyLimitMessage(limit)), { status: 413, headers })
    },
  })
  const guarded = guardControl(manage, config, parts.identityAdapters.certificates, clock)
  const handle = guardControlHost(guarded, config, engine.handle)
  return wirePaths(parts, { handle, owns: management.owns }, dashboard)
}

async function openAllPorts(parts: ServerParts, paths: WiredPaths, port: number, host: string): Promise<OpenPorts> {
  const { options, config, log, definitions, findPem, countRequests = (handle) => handle } = parts
  const tlsNames = { findPem, ofApis: () => definitions().flatMap(({ document }) => document.certificates ?? []) }
  const frontEnds = await wireFrontEnds(options.frontEnd ?? config.frontEnd, config, log, tlsNames)
  const tcpPorts = await openPorts(frontEnds.main, {
    ...{ host, port, controlPort: config.controlApiPort },
    engine: countRequests(paths.apis),
    management: paths.onControlPort,
    owns: paths.ownsControl,
    separate: paths.separate,
  })
  parts.reloads.add(() => void frontEnds.renewCertificates())
  parts.apiPorts.start(makeOpenPort(parts, frontEnds, host))
  return tcpPorts
}
