/** Chooses the handler of a path: metrics, the management API, the dashboard; all other paths belong to the APIs. */
import type { ApiDefinition } from '@turnpike/core/definition'
import type { Handle } from '@turnpike/core/ports'
import type { Components, CreatedEngine } from './create-engine.ts'
import type { SeparatePort } from './gateway-ports.ts'
import type { WiredDashboard } from './wire-dashboard.ts'

/** The handler of the management API, behind the checks of its host and its client certificates. */
export interface ManagementHandler {
  readonly handle: Handle
  owns(path: string): boolean
}

export interface WiredPaths {
  /** The management API, and metrics on its port. */
  readonly control: Handle
  /** The handler of `control_api_port`: `control`, and the APIs whose `listen_port` is that port. */
  readonly onControlPort: Handle
  /** Handles the requests of the gateway's port. */
  readonly atOwnPort: Handle
  /** Returns the handler for a path on a TCP port; 0 is the gateway's port. */
  at(port: number, path: string): Handle
  /** APIs, and the dashboard if it shares their port. */
  readonly apis: Handle
  /** Returns true if `control` handles the path. */
  ownsControl(path: string): boolean
  /** Handlers on further ports. If the dashboard is one of them, it is the first. */
  readonly separate: readonly SeparatePort[]
  /** True if the dashboard is on the port of the APIs. */
  readonly sharesDashboard: boolean
}

export function wirePaths(
  components: Components & CreatedEngine,
  management: ManagementHandler,
  dashboard: WiredDashboard | undefined,
): WiredPaths {
  const { engine, metrics, config } = components
  const { listenPort: ownPort, controlApiPort: controlPort } = config
  const ownsMetrics = (path: string) => metrics?.port === 0 && path === metrics.path
  const control: Handle = (request) =>
    metrics !== undefined && ownsMetrics(request.path) ? metrics.handle(request) : management.handle(request)
  const separate = [
    ...(dashboard?.separate === undefined ? [] : [{ ...dashboard.separate, handle: dashboard.handle }]),
    ...(metrics === undefined || metrics.port === 0
      ? []
      : [{ port: metrics.port, handle: metrics.handle, setting: 'metrics.listen_port' }]),
  ]
  // On a shared port, the dashboard's paths take precedence over the management API and the APIs.
  const sharedDashboard = dashboard === undefined || dashboard.separate !== undefined ? undefined : dashboard
  const apis: Handle =
    sharedDashboard === undefined
      ? engine.handle
      : (request) => (sharedDashboard.owns(request.path) ? sharedDashboard : engine).handle(request)
  const ownsControl = (path: string) =>
    (ownsMetrics(path) || management.owns(path)) && sharedDashboard?.owns(path) !== true
  const onControlPort = withApisOnControlPort(control, ownsControl, components)
  return {
    control,
    onControlPort,
    apis,
    ownsControl,
    separate,
    atOwnPort:
      controlPort === 0 || controlPort === ownPort
        ? (request) => (ownsControl(request.path) ? control : apis)(request)
        : apis,
    sharesDashboard: sharedDashboard !== undefined,
    at(port, path) {
      if (port === 0 || port === ownPort) return ownsControl(path) ? control : apis
      return port === controlPort ? onControlPort : engine.handleOn(port)
    },
  }
}

/** Serves APIs on the port of the management API if the `listen_port` of one of them is that port. */
function withApisOnControlPort(
  control: Handle,
  ownsControl: (path: string) => boolean,
  { engine, definitions, config }: Components & CreatedEngine,
): Handle {
  const controlPort = config.controlApiPort
  if (controlPort === 0) return control
  const apis = engine.handleOn(controlPort)
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
