/**
 * Settles which API gets a listen path that several ask for. Source: spec/apis-and-pipeline.md 1.5,
 * spec/oauth-certs-reload.md 6: who was served there before keeps it, every other one is moved to
 * `<listen path>-<api id>`; when nobody was served there, all are moved. The path on disk is never changed.
 */
import type { ApiDefinition } from '../definition/api-definition.ts'

/** One route of the table that is running now. */
export interface RunningRoute {
  readonly apiId: string
  /** 0: the gateway's. */
  readonly port: number
  readonly domain: string
  /** As settled. */
  readonly listenPath: string
  /** File it came from. */
  readonly source: string
}

export interface SettledRoute {
  /** With its settled listen path; the same object as given unless it was moved. */
  readonly definition: ApiDefinition
  /**
   * Its new path lies below the path that another API kept, and goes on answering there until the next reload: leave
   * it out of the table of listen paths this time.
   */
  readonly shadowed: boolean
}

/** One API that does not answer where its definition says. */
export interface ListenPathRename {
  readonly apiId: string
  readonly source: string
  readonly domain: string
  readonly from: string
  readonly to: string
  /** Sources of the other definitions that ask for the path. */
  readonly rivals: readonly string[]
  /** Source of the definition that kept the path; `undefined`: all were new and all were moved. */
  readonly keptBy: string | undefined
}

export interface SettledListenPaths {
  /** In the order given. */
  readonly routes: readonly SettledRoute[]
  readonly renames: readonly ListenPathRename[]
}

/** Settles all conflicts. With strict routes a path without trailing slash shadows nothing. */
export function settleListenPaths(
  definitions: readonly ApiDefinition[],
  running: readonly RunningRoute[],
  options: { readonly strictRoutes: boolean },
): SettledListenPaths {
  const askers = new Map<string, ApiDefinition[]>()
  for (const definition of definitions) {
    const key = routeKey(definition, definition.listenPath)
    const group = askers.get(key)
    if (group === undefined) askers.set(key, [definition])
    else group.push(definition)
  }
  if (askers.size === definitions.length) {
    return { routes: definitions.map((definition) => ({ definition, shadowed: false })), renames: [] }
  }

  const served = servedPaths(running)
  const taken = new Set(askers.keys())
  const moved = new Map<ApiDefinition, SettledRoute>()
  const renames: ListenPathRename[] = []
  for (const [key, group] of askers) {
    if (group.length === 1) continue
    const keeper = keeperOf(group, served.get(key) ?? [])
    for (const definition of group) {
      if (definition === keeper) continue
      const { id, domain, listenPath, source } = definition
      let to = `${listenPath}-${id}`
      while (taken.has(routeKey(definition, to))) to += '_'
      taken.add(routeKey(definition, to))
      const isNew = !(served.get(routeKey(definition, to)) ?? []).some((route) => route.apiId === id)
      const lies = listenPath.endsWith('/') || !options.strictRoutes
      moved.set(definition, {
        definition: Object.freeze({ ...definition, listenPath: to }),
        shadowed: keeper !== undefined && isNew && lies,
      })
      const rivals = group.filter((other) => other !== definition).map((other) => other.source)
      renames.push({ apiId: id, source, domain, from: listenPath, to, rivals, keptBy: keeper?.source })
    }
    if (keeper === undefined) taken.delete(key)
  }
  return { routes: definitions.map((one) => moved.get(one) ?? { definition: one, shadowed: false }), renames }
}

/**
 * The definition that goes on at the path. Of several files of the API that was served there: the one that is named
 * after the API, since the management API writes that one; else the one that was served.
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

/** A blank is in no host name. */
function routeKey({ port, domain }: { readonly port: number; readonly domain: string }, listenPath: string): string {
  return `${port} ${domain} ${listenPath}`
}
