/** The tables of listen paths of one reload: one for the gateway's port, one for each port that APIs have of their own. */
import type { CompiledApi } from '../pipeline/compile/compiled-api.ts'
import type { StageServices } from '../pipeline/contract/stage-services.ts'
import { type ListenPathTable, type ListenRoute, makeListenPathTable } from '../route/listen-path-table.ts'
import type { RoutingSnapshot } from './routing-snapshot.ts'
import type { Slices } from './slices.ts'

/** An API's way in, and the port that it stands on. */
export interface PlacedRoute extends ListenRoute<CompiledApi> {
  /** 0: the gateway's. */
  readonly port: number
}

/** A table for the gateway's port, and one for each port that APIs have of their own. */
export async function makeRouteTables(
  routes: readonly PlacedRoute[],
  { settings }: StageServices,
  slices: Slices,
): Promise<Pick<RoutingSnapshot, 'routes' | 'onPorts'>> {
  const { strictRoutes } = settings.routing
  const make = (own: readonly PlacedRoute[]) => {
    return makeListenPathTable([...own, ...own.flatMap(routeBeside)], { ...settings, strictRoutes })
  }
  const apart = routes.filter(({ port, byId }) => port !== 0 && byId)
  if (apart.length === 0) return { routes: make(routes), onPorts: new Map() }
  const onPorts = new Map<number, ListenPathTable<CompiledApi>>()
  for (const port of new Set(apart.map((route) => route.port))) {
    onPorts.set(port, make(apart.filter((route) => route.port === port)))
    await slices.pause()
  }
  return { routes: make(routes.filter(({ port }) => port === 0)), onPorts }
}

/** The route of what an API answers outside of its own path. */
function routeBeside({ slot, domain, listenPath }: ListenRoute<CompiledApi>): ListenRoute<CompiledApi>[] {
  const { rootMetadata } = slot
  if (rootMetadata === undefined || listenPath === undefined) return []
  const handle: CompiledApi['handle'] = (request) => rootMetadata.handle(request)
  const aside: CompiledApi = { definition: slot.definition, handle, handleAsChild: handle, release() {} }
  return [{ slot: aside, apiId: '', domain, byId: false, listenPath: rootMetadata.listenPath }]
}
