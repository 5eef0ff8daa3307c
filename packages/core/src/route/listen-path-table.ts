/**
 * Which API answers a path: the compiled table of all listen paths. A table is built once and never changes; a reload
 * builds another one beside it.
 *
 * Per host there is one radix tree over the characters of the listen paths, so that a look-up costs the length of the
 * listen path, not the number of APIs. What a look-up of a plain listen path returns was made when the table was
 * built: nothing is allocated. Listen paths with variables hang in the tree at the end of their plain beginning and
 * are tried one by one there; only APIs that share that beginning cost each other anything.
 */
import { decodePath } from '../lib/regex/decode-path.ts'
import { HostTable } from './host-table.ts'
import { PrefixTree, type RouteMatch } from './prefix-tree.ts'

export type { RouteMatch } from './prefix-tree.ts'

/** One API as the table needs it. */
export interface ListenRoute<T> {
  readonly slot: T
  readonly apiId: string
  /** `undefined`: no route of its own (an internal API, or one that is shadowed until the next reload). */
  readonly listenPath: string | undefined
  /** False: not reachable below `/{api_id}/` either. */
  readonly byId: boolean
  /** Host it answers on; empty: any. */
  readonly domain: string
}

export interface ListenPathTableOptions {
  /** A listen path without trailing slash needs the end of the path or a slash next. */
  readonly strictRoutes: boolean
  /** Without it domains are not looked at. */
  readonly customDomains: boolean
  /** Host of all APIs without a domain; empty: any. */
  readonly hostname: string
}

export interface ListenPathTable<T> {
  /** The API for a request, its length that of the path as sent; `host` is the Host header as sent. Domains come before APIs without, then the longest wins. */
  resolve(host: string | undefined, path: string): RouteMatch<T> | undefined
}

/** Builds the table. Of several routes with the same host and listen path the first one is taken. */
export function makeListenPathTable<T>(
  routes: readonly ListenRoute<T>[],
  options: ListenPathTableOptions,
): ListenPathTable<T> {
  const hosts = new HostTable<PrefixTree<T>>(() => new PrefixTree(options.strictRoutes))
  const treeOf = (route: ListenRoute<T>) =>
    hosts.at(options.customDomains && route.domain ? route.domain : options.hostname)
  for (const route of routes) {
    if (route.listenPath === undefined) continue
    treeOf(route).add(route.listenPath, route.slot, false)
  }
  // After all listen paths: an id never takes a path from the API that asked for it.
  for (const route of routes) {
    if (!route.byId || route.apiId === '' || route.apiId.includes('{')) continue
    treeOf(route).add(`/${route.apiId}/`, route.slot, true)
  }
  const find = (host: string | undefined, path: string) => hosts.find(host, (tree) => tree.find(path))
  return {
    resolve(host, path) {
      if (!path.includes('%')) return find(host, path)
      const decoded = decodePath(path)
      const match = find(host, decoded.text)
      if (match === undefined) return undefined
      return { slot: match.slot, matchedLength: decoded.rawLength(match.matchedLength), byId: match.byId }
    },
  }
}
