import type { GatewayConfig } from './config-shape.ts'

/** Whether the dashboard is on the port of the APIs, so that pages of upstreams are of its origin. */
export function sharesDashboardPort({
  dashboard,
  listenAddress,
  listenPort,
}: Pick<GatewayConfig, 'dashboard' | 'listenAddress' | 'listenPort'>): boolean {
  if (!dashboard.enabled) return false
  const isSameHost = dashboard.listenAddress === '' || dashboard.listenAddress === listenAddress
  return dashboard.listenPort === 0 || (dashboard.listenPort === listenPort && isSameHost)
}
