/**
 * Reads the URL of an upstream into the parts that a request needs. The engine has no `URL` object, and its rules
 * (lower-casing, dot segments, escapes added) would change what operators wrote anyway.
 */
export interface TargetUrl {
  /** Lower case, without colon; empty when the text names none. */
  readonly scheme: string
  /** Host with port as written, without user information; empty when the text names none. */
  readonly authority: string
  /** `scheme://authority`, what a connection is made to; empty when one of them is missing. */
  readonly origin: string
  /** With its leading slash, or empty. */
  readonly path: string
  /** Without question mark, as written. */
  readonly query: string
}

const shape = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#.*)?$/s
const brokenEscape = /%(?![0-9a-fA-F]{2})/
const authorityShape = /^(?:[^@]*@)?(\[[0-9a-fA-F:.%a-z]+\]|[^\s:@<>"[\]{}|\\^`]*)(:\d*)?$/

/** `undefined` when the text is no URL at all; one without scheme or host is read, though nothing can be sent to it. */
export function parseTargetUrl(text: string): TargetUrl | undefined {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code === 0x7f) return undefined
  }
  const [, scheme = '', authority = '', path = '', query = ''] = shape.exec(text) ?? []
  if (brokenEscape.test(authority + path)) return undefined
  // "10.0.0.1:80/x": a colon in the first segment can be neither a scheme nor a path.
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

/** An entry of `target_list` as a URL: lists of hosts are often written without a scheme, and HTTP is meant then. */
export function listedTarget(entry: string): string {
  const text = entry.trim()
  return text === '' || text.includes('://') ? text : `http://${text}`
}
