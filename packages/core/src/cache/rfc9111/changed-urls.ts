/** Which other stored responses a successful unsafe request invalidates (RFC 9111, 4.4). */
import { type HeaderPairs, headerOf } from '../../http/headers.ts'
import { requestLine } from '../cache-key.ts'

/** The request as the upstream received it. */
export interface SentUrl {
  /** Scheme and authority. */
  readonly origin: string
  /** Path and query. */
  readonly pathAndQuery: string
  /** The end of the path that is part of the cache key: the path below that of the target. */
  readonly keyPath: string
  /** The origin in the cache key, if a rewrite replaced the target of the API. Default: none. */
  readonly keyOrigin?: string | undefined
}

/**
 * Cache keys of the URLs in `Location` and `Content-Location`. URLs of other origins, or outside the path of the target,
 * are ignored: the upstream of one API must not empty the cache of another.
 */
export function changedKeys(cacheKey: string, sent: SentUrl, headers: HeaderPairs): string[] {
  const { origin, pathAndQuery, keyPath, keyOrigin = '' } = sent
  const path = pathAndQuery.split('?', 1)[0] as string
  const end = keyPath === '/' && !path.endsWith('/') ? '' : keyPath
  if (!path.endsWith(end)) return []
  const base = path.slice(0, path.length - end.length)
  const keys: string[] = []
  for (const name of ['location', 'content-location']) {
    const value = headerOf(headers, name)
    const changed = value === undefined ? undefined : resolve(value, origin, path)
    if (changed?.startsWith(`${base}/`) !== true) continue
    const selecting = cacheKey.slice(cacheKey.indexOf('\n'))
    keys.push(requestLine('GET', keyOrigin + changed.slice(base.length), '') + selecting)
  }
  return keys
}

/**
 * Path and query of a URI reference, without its fragment (RFC 3986, 5.2). `undefined`: it has another origin, or dot
 * segments, for which this cache has no keys.
 */
function resolve(reference: string, origin: string, path: string): string | undefined {
  const text = reference.split('#', 1)[0] as string
  const [start] = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?]*|^[a-z][a-z0-9+.-]*:/i.exec(text) ?? ['']
  if (start !== '' && start.toLowerCase() !== origin.toLowerCase()) return undefined
  const rest = text.slice(start.length)
  const absolute = rest.startsWith('/') || start !== '' ? rest : path.slice(0, path.lastIndexOf('/') + 1) + rest
  return /\/\.{1,2}(?:[/?]|$)/.test(absolute) ? undefined : absolute
}
