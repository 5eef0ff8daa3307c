/** Who answers which path: metrics, the management API, the dashboard, and all others the APIs. */
import type { Handle } from '@turnpike/core'
import type { PortApart } from './gateway-ports.ts'
import type { WiredDashboard } from './wire-dashboard.ts'
import type { WiredMetrics } from './wire-metrics.ts'

export interface PathParts {
  readonly apis: Handle
  readonly management: { readonly handle: Handle; owns(path: string): boolean }
  readonly metrics: WiredMetrics | undefined
  readonly dashboard: WiredDashboard | undefined
}

export interface WiredPaths {
  /** The management API, and metrics on its port. */
  readonly control: Handle
  /** Everything else. */
  readonly apis: Handle
  /** Whether a path is for `control`. */
  ownsControl(path: string): boolean
  /** Those with ports of their own; the dashboard, if it is among them, is the first. */
  readonly apart: readonly PortApart[]
  /** The dashboard is on the port of the APIs. */
  readonly sharesDashboard: boolean
}

export function wirePaths({ apis, management, metrics, dashboard }: PathParts): WiredPaths {
  const ownsMetrics = (path: string) => metrics?.port === 0 && path === metrics.path
  const ownsControl = (path: string) => ownsMetrics(path) || management.owns(path)
  const control: Handle = (request) =>
    metrics !== undefined && ownsMetrics(request.path) ? metrics.handle(request) : management.handle(request)
  const apart = [
    ...(dashboard?.apart === undefined ? [] : [{ ...dashboard.apart, handle: dashboard.handle }]),
    ...(metrics === undefined || metrics.port === 0 ? [] : [metrics]),
  ]
  if (dashboard === undefined || dashboard.apart !== undefined) {
    return { control, apis, ownsControl, apart, sharesDashboard: false }
  }
  // On a shared port the dashboard's paths come before management and APIs.
  return {
    control,
    apis: (request) => (dashboard.owns(request.path) ? dashboard.handle(request) : apis(request)),
    ownsControl: (path) => ownsControl(path) && !dashboard.owns(path),
    apart,
    sharesDashboard: true,
  }
}
