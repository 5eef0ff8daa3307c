/** Builds the listen path tables of one reload. */
import type { GatewayRequest } from '../http/messages.ts'
import type { CompiledApi } from '../pipeline/compile/compiled-api.ts'
import type { StageServices } from '../pipeline/contract/stage-services.ts'
import { type ListenPathTable, type ListenRoute, makeListenPathTable } from '../route/listen-path-table.ts'
import type { RoutingSnapshot } from './routing-snapshot.ts'
import type { Slices } from './slices.ts'

/** A route with its TCP port. */
export interface PlacedRoute extends ListenRoute<CompiledApi> {
  /** 0: the gateway's port. */
  readonly port: number
}

/** Builds one table for the gateway's port and one for each port that APIs have of their own. */
export async function makeRouteTables(
  routes: readonly PlacedRoute[],
  { settings }: StageServices,
  slices: Slices,
): Promise<Pick<RoutingSnapshot, 'routes' | 'onPorts'>> {
  const { strictRoutes } = settings.routing
  const make = (own: readonly PlacedRoute[]) => {
    return makeListenPathTable([...own, ...own.flatMap(extraRoutes)], { ...settings, strictRoutes })
  }
  const onOwnPorts = routes.filter(({ port, isRoutedById }) => port !== 0 && isRoutedById)
  if (onOwnPorts.length === 0) return { routes: make(routes), onPorts: new Map() }
  const onPorts = new Map<number, ListenPathTable<CompiledApi>>()
  for (const port of new Set(onOwnPorts.map((route) => route.port))) {
    onPorts.set(port, make(onOwnPorts.filter((route) => route.port === port)))
    await slices.pause()
  }
  return { routes: make(routes.filter(({ port }) => port === 0)), onPorts }
}

/** The routes of an API at the root, outside of its listen path. */
function extraRoutes({ slot, domain, listenPath }: ListenRoute<CompiledApi>): ListenRoute<CompiledApi>[] {
  const { rootRoutes } = slot
  if (rootRoutes === undefined || listenPath === undefined) return []
  return rootRoutes.map((route) => {
    const handle = (request: GatewayRequest) => route.handle(request)
    const extra: CompiledApi = { definition: slot.definition, handle, handleAsChild: handle, release() {} }
    return { slot: extra, apiId: '', domain, isRoutedById: false, listenPath: route.listenPath }
  })
}
