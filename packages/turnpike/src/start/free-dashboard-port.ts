import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { GatewayConfig } from '../config/config-shape.ts'
import { sharesDashboardPort } from '../config/dashboard-port.ts'

/**
 * Gives the dashboard a free port in place of its configured one, because `--port 0` starts a gateway beside others of the same
 * files. A dashboard that shares the port of the APIs keeps doing so.
 */
export async function freeDashboardPort(config: GatewayConfig): Promise<void> {
  const { dashboard, listenAddress } = config
  if (!dashboard.enabled || sharesDashboardPort(config)) return
  const host = dashboard.listenAddress === '' ? listenAddress : dashboard.listenAddress
  const probe = createServer().listen({ port: 0, ...(host === '' ? {} : { host }) })
  await once(probe, 'listening')
  // A bound TCP server has an address of this type; only sockets of other families have a text.
  dashboard.listenPort = (probe.address() as AddressInfo).port
  probe.close()
  await once(probe, 'close')
}
