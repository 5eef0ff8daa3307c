/**
 * Resolves conflicts of APIs with the same listen path. The API that is already served there keeps the path; the
 * others move to `<listen path>-<api id>`. If none is served there, all of them move. Files never change.
 * Source: docs/reference/api-management.md#listen-path-conflicts.
 */
import type { ApiDefinition } from '../definition/api-definition.ts'

/** A route of the current routing snapshot. */
export interface RunningRoute {
  readonly apiId: string
  /** 0: the gateway's TCP port. */
  readonly port: number
  readonly domain: string
  /** After conflicts were resolved. */
  readonly listenPath: string
  /** File of its definition. */
  readonly source: string
}

export interface SettledRoute {
  /** With the resolved listen path; the given object unless the API moved. */
  readonly definition: ApiDefinition
  /**
   * The new path is below the path that another API kept, so that API serves it until the next reload. A shadowed
   * route has no listen path in this routing snapshot.
   */
  readonly shadowed: boolean
}

/** An API that is not served at the listen path of its definition. */
export interface ListenPathRename {
  readonly apiId: string
  readonly source: string
  readonly domain: string
  readonly from: string
  readonly to: string
  /** Sources of the other definitions with this listen path. */
  readonly rivals: readonly string[]
  /** Source of the definition that kept the path; `undefined`: all were new, so all moved. */
  readonly keptBy: string | undefined
}

export interface SettledListenPaths {
  /** In the order given. */
  readonly routes: readonly SettledRoute[]
  readonly renames: readonly ListenPathRename[]
}

/** Resolves all conflicts. With strict routes, a path without a trailing slash shadows nothing. */
export function settleListenPaths(
  definitions: readonly ApiDefinition[],
  running: readonly RunningRoute[],
  options: { readonly strictRoutes: boolean },
): SettledListenPaths {
  const byRoute = new Map<string, ApiDefinition[]>()
  for (const definition of definitions) {
    const key = routeKey(definition, definition.listenPath)
    const group = byRoute.get(key)
    if (group === undefined) byRoute.set(key, [definition])
    else group.push(definition)
  }
  if (byRoute.size === definitions.length) {
    return { routes: definitions.map((definition) => ({ definition, shadowed: false })), renames: [] }
  }

  const served = servedPaths(running)
  const taken = new Set(byRoute.keys())
  const moved = new Map<ApiDefinition, SettledRoute>()
  const renames: ListenPathRename[] = []
  for (const [key, group] of byRoute) {
    if (group.length === 1) continue
    const keeper = keeperOf(group, served.get(key) ?? [])
    for (const definition of group) {
      if (definition === keeper) continue
      const { id, domain, listenPath, source } = definition
      let to = `${listenPath}-${id}`
      while (taken.has(routeKey(definition, to))) to += '_'
      taken.add(routeKey(definition, to))
      const isNew = !(served.get(routeKey(definition, to)) ?? []).some((route) => route.apiId === id)
      const isBelow = listenPath.endsWith('/') || !options.strictRoutes
      moved.set(definition, {
        definition: Object.freeze({ ...definition, listenPath: to }),
        shadowed: keeper !== undefined && isNew && isBelow,
      })
      const rivals = group.filter((other) => other !== definition).map((other) => other.source)
      renames.push({ apiId: id, source, domain, from: listenPath, to, rivals, keptBy: keeper?.source })
    }
    if (keeper === undefined) taken.delete(key)
  }
  return { routes: definitions.map((one) => moved.get(one) ?? { definition: one, shadowed: false }), renames }
}

/**
 * The definition that keeps the path. If several files define the API that was served there, it is the file named
 * after the API, because the management API writes that one; otherwise the file that was served.
 */
function keeperOf(group: readonly ApiDefinition[], before: readonly RunningRoute[]): ApiDefinition | undefined {
  const candidates = group.filter((definition) => before.some((route) => route.apiId === definition.id))
  return (
    candidates.find((definition) => definition.source === `${definition.id}.json`) ??
    candidates.find((definition) => before.some((route) => route.source === definition.source)) ??
    candidates[0]
  )
}

function servedPaths(running: readonly RunningRoute[]): ReadonlyMap<string, RunningRoute[]> {
  const served = new Map<string, RunningRoute[]>()
  for (const route of running) {
    const key = routeKey(route, route.listenPath)
    const group = served.get(key)
    if (group === undefined) served.set(key, [route])
    else group.push(route)
  }
  return served
}

/** A unique key, because host names contain no spaces. */
function routeKey({ port, domain }: { readonly port: number; readonly domain: string }, listenPath: string): string {
  return `${port} ${domain} ${listenPath}`
}
