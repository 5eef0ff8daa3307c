/**
 * Parses target URLs. The standard `URL` class is not used, because it would change what operators wrote: it lower-cases
 * hosts, removes dot segments and adds escapes.
 */
import { hasBrokenEscape } from '../lib/text/percent.ts'

export interface TargetUrl {
  /** In lower case, without colon; empty if missing. */
  readonly scheme: string
  /** Host and port as written, without user information; empty if missing. */
  readonly authority: string
  /** `scheme://authority`; empty if one of them is missing. */
  readonly origin: string
  /** Empty, or starts with a slash. */
  readonly path: string
  /** As written, without question mark. */
  readonly query: string
}

const shape = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#.*)?$/s
const authorityShape = /^(?:[^@]*@)?(\[[0-9a-fA-F:.%a-z]+\]|[^\s:@<>"[\]{}|\\^`]*)(:\d*)?$/

/** Parses a URL; `undefined`: it is invalid. A URL without scheme or host is accepted, with an empty origin. */
export function parseTargetUrl(text: string): TargetUrl | undefined {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code === 0x7f) return undefined
  }
  const [, scheme = '', authority = '', path = '', query = ''] = shape.exec(text) ?? []
  if (hasBrokenEscape(authority + path)) return undefined
  // In `10.0.0.1:80/x` the colon belongs neither to a scheme nor to a path (RFC 3986, 4.2).
  if (scheme === '' && authority === '' && (path.split('/', 1)[0] as string).includes(':')) return undefined
  const host = authorityShape.exec(authority)
  if (host === null) return undefined
  const bare = (host[1] as string) + (host[2] ?? '')
  const lower = scheme.toLowerCase()
  return {
    scheme: lower,
    authority: bare,
    origin: lower === '' || bare === '' ? '' : `${lower}://${bare}`,
    path,
    query,
  }
}

/** Completes an entry of `target_list` that has no scheme. */
export function listedTarget(entry: string, scheme: 'http' | 'tcp' = 'http'): string {
  const text = entry.trim()
  return text === '' || text.includes('://') ? text : `${scheme}://${text}`
}
