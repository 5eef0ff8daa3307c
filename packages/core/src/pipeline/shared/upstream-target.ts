/**
 * Where an API's requests go: parsed once, when the API is compiled. Source: spec/apis-and-pipeline.md 2.1.
 */

import type { UpstreamLink } from '../../ports/upstream.ts'
import type { CompileContext } from '../contract/stage.ts'
import { upstreamOptions } from './upstream-options.ts'

export interface Target {
  readonly link: UpstreamLink
  /** `Host` for the upstream. */
  readonly host: string
  /** Path put before the request's: no trailing slash. */
  readonly basePath: string
  /** Path asked for when the request is for the root of the API. */
  readonly rootPath: string
  /** Query put before the request's; empty: none. */
  readonly query: string
}

/** Parts of a target URL; `undefined` when it cannot be parsed or is no http(s) URL. */
export function parseTarget(url: string): { origin: string; host: string; path: string; query: string } | undefined {
  // Only the scheme and the authority are checked by the URL parser: it would rewrite paths, and they go out as written.
  const match = /^(https?|h2c):\/\/([^/?#]+)([^?#]*)(?:\?([^#]*))?/i.exec(url)
  if (match === null) return undefined
  const scheme = (match[1] as string).toLowerCase() === 'https' ? 'https' : 'http'
  const authority = (match[2] as string).slice((match[2] as string).lastIndexOf('@') + 1)
  if (!isAuthority(authority)) return undefined
  return { origin: `${scheme}://${authority}`, host: authority, path: match[3] ?? '', query: match[4] ?? '' }
}

function isAuthority(text: string): boolean {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^\s:[\]\\^|"<>`{}%]+)(?::(\d{1,5}))?$/.exec(text)
  return match !== null && Number(match[2] ?? 0) <= 65_535
}

/** The target for a URL, with its share of a connection pool. */
export function makeTarget(url: string, compileContext: CompileContext): Target | undefined {
  const { api, services } = compileContext
  const parts = parseTarget(url)
  if (parts === undefined) return undefined
  const trimmed = parts.path.endsWith('/') ? parts.path.slice(0, -1) : parts.path
  return {
    link: services.upstream.connect(parts.origin, upstreamOptions(parts.origin, parts.host, compileContext)),
    host: parts.host,
    basePath: trimmed,
    rootPath: (api.document.proxy.disableStripSlash ? parts.path : trimmed) || '/',
    query: parts.query,
  }
}

/** Path and query for the upstream. */
export function pathForUpstream(target: Target, path: string, query: string): string {
  const whole = path === '/' ? target.rootPath : target.basePath + path
  if (target.query === '') return query === '' ? whole : `${whole}?${query}`
  return query === '' ? `${whole}?${target.query}` : `${whole}?${target.query}&${query}`
}
