/**
 * Finds the API for a request by host and listen path. A table is immutable; a reload builds a new one. The longest listen
 * path wins (`longest-listen-path.ts`); if two APIs have the same one, `listen-path-conflicts.ts` decides.
 *
 * Each host has a radix tree over the characters of its listen paths, so the cost of a look-up depends on the length
 * of the listen path, not on the number of APIs. Look-ups of listen paths without variables allocate nothing. Listen
 * paths with variables belong to the tree node of the text before the first variable and are tried one by one there.
 */
import { decodePath } from '../lib/regex/decode-path.ts'
import { HostTable } from './host-table.ts'
import { PrefixTree, type RouteMatch } from './longest-listen-path.ts'

export type { RouteMatch } from './longest-listen-path.ts'

/** An API in the table. */
export interface ListenRoute<T> {
  /** What a look-up returns for this API. */
  readonly slot: T
  readonly apiId: string
  /** `undefined`: an internal API, or one that is shadowed until the next reload. */
  readonly listenPath: string | undefined
  /** Whether the API is also served below `/{api_id}/`. */
  readonly isRoutedById: boolean
  /** Host of the API; empty: all hosts. */
  readonly domain: string
}

export interface ListenPathTableOptions {
  /**
   * After a listen path without a trailing slash and without variables, the path must end or continue with a slash.
   * Otherwise no API gets the request, not even one with a shorter listen path.
   */
  readonly strictRoutes: boolean
  /** Whether domains of definitions count. */
  readonly customDomains: boolean
  /** Host of all APIs without a domain; empty: all hosts. */
  readonly hostname: string
}

export interface ListenPathTable<T> {
  /**
   * The API for a request, by the Host header and the path as received. `matchedLength` counts characters of that path.
   * APIs with a domain that fits the host come before those without one, then the longest listen path wins.
   */
  resolve(host: string | undefined, path: string): RouteMatch<T> | undefined
}

/** Builds the table. Of several routes with the same host and listen path, the first one counts. */
export function makeListenPathTable<T>(
  routes: readonly ListenRoute<T>[],
  options: ListenPathTableOptions,
): ListenPathTable<T> {
  const ofDomains = new HostTable<PrefixTree<T>>(() => new PrefixTree(options.strictRoutes))
  const ofAnyHost = new HostTable<PrefixTree<T>>(() => new PrefixTree(options.strictRoutes))
  const treeOf = ({ domain }: ListenRoute<T>) =>
    options.customDomains && domain !== '' ? ofDomains.at(domain) : ofAnyHost.at(options.hostname)
  for (const route of routes) {
    if (route.listenPath !== undefined) treeOf(route).add(route.listenPath, route.slot)
  }
  // These come after all listen paths, so that an id never replaces the listen path of an API of the same rank.
  for (const route of routes) {
    if (!route.isRoutedById || route.apiId === '' || route.apiId.includes('{')) continue
    treeOf(route).addId(route.apiId, route.listenPath, route.slot)
  }
  const find = (host: string | undefined, path: string) => {
    const match = ofDomains.best(host, (tree) => tree.find(path)) ?? ofAnyHost.best(host, (tree) => tree.find(path))
    return match?.mustEndSegment && !endsSegment(path, match.matchedLength) ? undefined : match
  }
  return {
    resolve(host, path) {
      if (!path.includes('%')) return find(host, path)
      const decoded = decodePath(path)
      const match = find(host, decoded.text)
      if (match === undefined) return undefined
      const { slot, isById, weight, mustEndSegment } = match
      return { slot, isById, weight, mustEndSegment, matchedLength: decoded.rawLength(match.matchedLength) }
    },
  }
}

function endsSegment(path: string, at: number): boolean {
  return at === path.length || path[at] === '/'
}
