/** How requests come in: by TCP ports once the gateway listens, or injected in process. */
import { type InjectOptions, makeInjectedRequest, type ReadAnswer, readAnswer } from '@turnpike/core'
import type { ManagementApi } from '@turnpike/mgmt-api'
import type { CreatedEngine, EngineParts } from './create-engine.ts'
import type { Security } from './create-security.ts'
import type { GatewayAddress, InjectWish } from './gateway.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { type OpenPorts, openPorts } from './gateway-ports.ts'
import { guardControl } from './guard-control.ts'
import type { Lifecycle } from './lifecycle.ts'
import { makeOpenPort } from './wire-api-ports.ts'
import { type WiredDashboard, wireDashboard } from './wire-dashboard.ts'
import { wireFrontEnds } from './wire-front-end.ts'
import { type WiredPaths, wirePaths } from './wire-paths.ts'

export interface Server {
  inject(wish: string | InjectWish): Promise<ReadAnswer>
  listen(port?: number, host?: string): Promise<GatewayAddress>
}

export interface ServerParts extends EngineParts, CreatedEngine {
  readonly frontEnd: GatewayOptions['frontEnd']
  readonly findPem: Security['findPem']
  readonly management: ManagementApi
}

export async function createServer(parts: ServerParts, lifecycle: Lifecycle): Promise<Server> {
  const dashboard = await wireDashboard(parts)
  const paths = await createPaths(parts, dashboard)
  let ports: OpenPorts | undefined
  lifecycle.onClose(async (graceMs) => {
    await Promise.all([ports?.close(graceMs), parts.apiPorts.close(graceMs)])
  })
  // Open feeds would keep the ports from closing.
  lifecycle.onClose(() => dashboard?.close())

  return {
    async inject(wish) {
      const given: InjectWish = typeof wish === 'string' ? { url: wish } : wish
      const request = makeInjectedRequest(given satisfies InjectOptions)
      return readAnswer(await paths.at(given.port ?? 0, request.path)(request))
    },
    async listen(port = parts.config.listenPort, host = parts.config.listenAddress) {
      if (ports !== undefined) throw new Error('this gateway listens already')
      ports = await openAllPorts(parts, paths, port, host)
      // What was loaded before there were sockets gets its ports now.
      if (parts.engine.definitions().some((api) => api.port !== 0)) await parts.engine.reload()
      if (dashboard === undefined) return ports.address
      const dashboardUrl = paths.sharesDashboard ? ports.address.url : (ports.apartUrls[0] ?? '')
      return { ...ports.address, dashboardUrl: dashboardUrl + dashboard.homePath }
    },
  }
}

async function createPaths(parts: ServerParts, dashboard: WiredDashboard | undefined): Promise<WiredPaths> {
  const { config, engine, definitions, management, metrics, clock } = parts
  const { bridge } = await import('@turnpike/adapters/fetch-bridge')
  const handle = guardControl(bridge(management.fetch), config, parts.ports.certificates, clock)
  return wirePaths({
    apis: engine.handle,
    onPort: engine.handleOn,
    ...{ definitions, ownPort: config.listenPort, controlPort: config.controlApiPort },
    management: { handle, owns: management.owns },
    ...{ metrics, dashboard },
  })
}

async function openAllPorts(parts: ServerParts, paths: WiredPaths, port: number, host: string): Promise<OpenPorts> {
  const { config, engine, log, definitions, findPem, counted: around = (handle) => handle } = parts
  const tlsNames = { findPem, ofApis: () => definitions().flatMap(({ document }) => document.certificates ?? []) }
  const frontEnds = await wireFrontEnds(parts.frontEnd ?? config.frontEnd, config, log, tlsNames)
  const ports = await openPorts(frontEnds.main, {
    ...{ host, port, controlPort: config.controlApiPort },
    engine: around(paths.apis),
    management: paths.onControlPort,
    owns: paths.ownsControl,
    apart: paths.apart,
  })
  const streamIdleMs = config.streamIdleTimeout * 1000
  parts.apiPorts.start(makeOpenPort({ engine, frontEnds, log, around, host, streamIdleMs }))
  return ports
}
