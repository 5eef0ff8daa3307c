/** Who answers which path: metrics, the management API, the dashboard, and all others the APIs. */
import type { ApiDefinition, Handle } from '@turnpike/core'
import type { SeparatePort } from './gateway-ports.ts'
import type { WiredDashboard } from './wire-dashboard.ts'
import type { WiredMetrics } from './wire-metrics.ts'

export interface PathDependencies {
  readonly apis: Handle
  /** APIs that have a port of their own. */
  onPort(port: number): Handle
  /** A new list after each reload. */
  definitions(): readonly ApiDefinition[]
  readonly ownPort: number
  /** 0: the management API shares the gateway's. */
  readonly controlPort: number
  readonly management: { readonly handle: Handle; owns(path: string): boolean }
  readonly metrics: WiredMetrics | undefined
  readonly dashboard: WiredDashboard | undefined
}

export interface WiredPaths {
  /** The management API, and metrics on its port. */
  readonly control: Handle
  /** `control` on a port of its own, beside APIs that name that port. */
  readonly onControlPort: Handle
  /** Who answers a request for a path that came by a port; 0: the gateway's. */
  at(port: number, path: string): Handle
  /** Everything else. */
  readonly apis: Handle
  /** Whether a path is for `control`. */
  ownsControl(path: string): boolean
  /** Those with ports of their own; the dashboard, if it is among them, is the first. */
  readonly separate: readonly SeparatePort[]
  /** The dashboard is on the port of the APIs. */
  readonly sharesDashboard: boolean
}

export function wirePaths(dependencies: PathDependencies): WiredPaths {
  const { management, metrics, dashboard, controlPort, ownPort } = dependencies
  const ownsMetrics = (path: string) => metrics?.port === 0 && path === metrics.path
  const control: Handle = (request) =>
    metrics !== undefined && ownsMetrics(request.path) ? metrics.handle(request) : management.handle(request)
  const separate = [
    ...(dashboard?.separate === undefined ? [] : [{ ...dashboard.separate, handle: dashboard.handle }]),
    ...(metrics === undefined || metrics.port === 0 ? [] : [metrics]),
  ]
  // On a shared port the dashboard's paths come before management and APIs.
  const beside = dashboard === undefined || dashboard.separate !== undefined ? undefined : dashboard
  const apis: Handle =
    beside === undefined
      ? dependencies.apis
      : (request) => (beside.owns(request.path) ? beside.handle(request) : dependencies.apis(request))
  const ownsControl = (path: string) => (ownsMetrics(path) || management.owns(path)) && beside?.owns(path) !== true
  const onControlPort = besideControl(control, ownsControl, dependencies)
  return {
    control,
    onControlPort,
    apis,
    ownsControl,
    separate,
    sharesDashboard: beside !== undefined,
    at(port, path) {
      if (port === 0 || port === ownPort) return ownsControl(path) ? control : apis
      return port === controlPort ? onControlPort : dependencies.onPort(port)
    },
  }
}

/** Only where an API names the port of the management API is anything else answered there. */
function besideControl(
  control: Handle,
  ownsControl: (path: string) => boolean,
  { onPort, definitions, controlPort }: PathDependencies,
): Handle {
  if (controlPort === 0) return control
  const apis = onPort(controlPort)
  let known: readonly ApiDefinition[] | undefined
  let isShared = false
  return (request) => {
    const now = definitions()
    if (now !== known) {
      known = now
      isShared = now.some(({ port }) => port === controlPort)
    }
    return isShared && !ownsControl(request.path) ? apis(request) : control(request)
  }
}
