/**
 * Redirects in responses to items. The gateway follows them inside the API, because the caller of a batch cannot.
 * Source: docs/reference/batch.md#batch-requests, docs/differences.md; RFC 9110, section 15.4.
 */
import { headerOf } from '@turnpike/core/http'
import { cleanPath } from '@turnpike/core/route'
import type { ItemRequest } from './item-request.ts'
import { percentEncode } from './percent-encode.ts'

/** Maximum number of redirects of one item. */
export const maxRedirects = 10

export interface RedirectTarget {
  readonly path: string
  readonly query: string
  /** True: method and body are kept (307, 308). False: the request becomes a GET without a body; HEAD stays HEAD. */
  readonly keepsMethod: boolean
}

/** A target inside the API, `leaves` for one outside, `undefined` if the response is not a redirect. */
export type Redirect = RedirectTarget | 'leaves' | undefined

/** Returns false if the status excludes a redirect. `decideRedirect` decides the rest: 304 to 306 are no redirects. */
export function mayBeRedirect({ status }: { readonly status: number }): boolean {
  return status >= 301 && status <= 308
}

export function decideRedirect(
  request: Pick<ItemRequest, 'path' | 'query' | 'batch'>,
  { status, headers }: { readonly status: number; readonly headers: readonly string[] },
): Redirect {
  const keepsMethod = status === 307 || status === 308
  if (!keepsMethod && status !== 301 && status !== 302 && status !== 303) return undefined
  const location = headerOf(headers as string[], 'location')
  if (location === undefined || location === '') return undefined
  const reference = withoutOwnHost(location.replace(/[\x80-\xff]/g, escapeByte), request.batch.host)
  if (reference === undefined) return 'leaves'
  const target = resolve(reference, request)
  const isInside = target.path.startsWith(request.batch.prefix)
  return isInside ? { ...target, keepsMethod } : 'leaves'
}

/** Each character of a header is one byte. */
const escapeByte = (byte: string) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`

const absolute = /^([a-z][a-z0-9+.-]*):/i
const authority = /^(?:https?:)?\/\/([^/?#]*)(.*)$/is
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const unsafe = /[\0-\x1f\x7f\\]/

/** Removes scheme and host if they name the host of the batch call. Returns `undefined` for another host. */
function withoutOwnHost(location: string, host: string): string | undefined {
  // Some clients read a backslash as a slash, so the target would be ambiguous.
  if (unsafe.test(location)) return undefined
  const withHost = authority.exec(location)
  if (withHost !== null) {
    if ((withHost[1] as string).toLowerCase() !== host.toLowerCase()) return undefined
    const rest = withHost[2] as string
    return rest.startsWith('/') ? rest : `/${rest}`
  }
  return absolute.test(location) ? undefined : location
}

function resolve(reference: string, from: Pick<ItemRequest, 'path' | 'query'>): { path: string; query: string } {
  const hash = reference.indexOf('#')
  const whole = hash === -1 ? reference : reference.slice(0, hash)
  const mark = whole.indexOf('?')
  const written = mark === -1 ? whole : whole.slice(0, mark)
  const query = mark === -1 ? '' : percentEncode(whole.slice(mark + 1), 'query')
  if (written === '') return { path: from.path, query: mark === -1 ? from.query : query }
  const path = written.startsWith('/') ? written : from.path.slice(0, from.path.lastIndexOf('/') + 1) + written
  return { path: percentEncode(cleanPath(path) ?? path, 'path'), query }
}
