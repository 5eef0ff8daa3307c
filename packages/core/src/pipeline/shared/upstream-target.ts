/** The target URL of an API, parsed once when the API is compiled (docs/reference/api-definition.md#proxy). */

import { escapePath } from '../../lib/text/escape-path.ts'
import type { CompileContext } from '../contract/stage.ts'
import type { Target } from '../contract/target.ts'
import { upstreamOptions } from './upstream-options.ts'

/** Splits a target URL; `undefined` if it is invalid or has another scheme than http, https or h2c. */
export function parseTarget(url: string): { origin: string; host: string; path: string; query: string } | undefined {
  // The WHATWG URL parser would normalise the path, but paths are sent exactly as configured.
  const match = /^(https?|h2c):\/\/([^/?#]+)([^?#]*)(?:\?([^#]*))?/i.exec(url)
  if (match === null) return undefined
  const scheme = (match[1] as string).toLowerCase()
  const authority = (match[2] as string).slice((match[2] as string).lastIndexOf('@') + 1)
  if (!isAuthority(authority)) return undefined
  return { origin: `${scheme}://${authority}`, host: authority, path: match[3] ?? '', query: match[4] ?? '' }
}

function isAuthority(text: string): boolean {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^\s:[\]\\^|"<>`{}%]+)(?::(\d{1,5}))?$/.exec(text)
  return match !== null && Number(match[2] ?? 0) <= 65_535
}

/** Makes the target of a URL, with its connection pool. */
export function makeTarget(url: string, compileContext: CompileContext): Target | undefined {
  const { api, services } = compileContext
  const parts = parseTarget(url)
  if (parts === undefined) return undefined
  const trimmed = parts.path.endsWith('/') ? parts.path.slice(0, -1) : parts.path
  return {
    link: services.upstream.connect(parts.origin, upstreamOptions(parts.origin, parts.host, compileContext)),
    origin: parts.origin,
    host: parts.host,
    basePath: trimmed,
    rootPath: (api.document.proxy.disableStripSlash ? parts.path : trimmed) || '/',
    ownPath: parts.path || '/',
    query: parts.query,
  }
}

/** Returns path and query for the upstream. An empty path means the target URL itself. */
export function pathForUpstream(target: Target, path: string, query: string, escapes: boolean): string {
  const joined = path === '' ? target.ownPath : path === '/' ? target.rootPath : target.basePath + path
  const whole = escapes ? escapePath(joined) : joined
  if (target.query === '') return query === '' ? whole : `${whole}?${query}`
  return query === '' ? `${whole}?${target.query}` : `${whole}?${target.query}&${query}`
}
