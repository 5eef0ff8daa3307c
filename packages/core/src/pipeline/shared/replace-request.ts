/**
 * Changes of the client's request, by scripts and custom stages. Later stages see the changed request as the client's.
 * docs/reference/scripts.md#request-object describes which changes the upstream sees.
 */
import { type HeaderPairs, removeHeader, setHeader } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { escapeUrlText } from '../../lib/template/escape-variable.ts'
import { repairEscapes } from '../../lib/text/percent.ts'
import { hasDotSegments, hidesSegments } from '../../route/hidden-segments.ts'
import type { RequestContext } from '../contract/request-context.ts'
import { ChangedRequest } from './changed-request.ts'

/** Path and query of a request. */
export function urlOf({ path, query }: Pick<GatewayRequest, 'path' | 'query'>): string {
  return query === '' ? path : `${path}?${query}`
}

/** Absent members are unchanged. */
export interface RequestChange {
  /** The whole path, with the listen path. */
  readonly path?: string | undefined
  readonly query?: string
  readonly headers?: HeaderPairs
  readonly body?: Uint8Array | undefined
}

export function replaceRequest(context: RequestContext, change: RequestChange): void {
  const { request } = context
  const { path, query = request.query, headers = request.headers, body } = change
  if (path === undefined && query === request.query && headers === request.headers && body === undefined) return
  context.requestUri ??= urlOf(request)
  if (path !== undefined) movePath(context, path)
  context.request = new ChangedRequest(request, { path: path ?? request.path, query, headers, body })
}

/** Replaces the path below the listen path and the version segment, also for the upstream. Throws a `TypeError`. */
export function setInnerPath(context: RequestContext, path: string): void {
  if (!path.startsWith('/') || /[?#]/.test(path)) {
    throw new TypeError(`the path must start with a slash and contain no query, given: ${JSON.stringify(path)}`)
  }
  const escaped = escapeUrl(path)
  if (hasDotSegments(escaped) || hidesSegments(escaped)) {
    throw new TypeError(`the path must not contain dot segments, given: ${JSON.stringify(path)}`)
  }
  replaceRequest(context, { path: listenPathOf(context) + versionSegmentOf(context) + escaped })
  if (context.isRewritten) context.outgoing.path = escaped
}

/**
 * Escapes characters that a URL cannot contain, so that no change can inject a line break into the request line. Percent
 * signs that begin no escape are escaped in the path; a query may have them.
 */
export function escapeUrl(text: string): string {
  const escaped = escapeUrlText(text)
  const queryAt = escaped.indexOf('?')
  return queryAt === -1 ? repairEscapes(escaped) : repairEscapes(escaped.slice(0, queryAt)) + escaped.slice(queryAt)
}

/** Sets the length of a new body, and removes headers that describe the body of the client. */
export function describeBody(headers: HeaderPairs, body: Uint8Array): void {
  setHeader(headers, 'content-length', String(body.length))
  for (const name of ['content-md5', 'transfer-encoding', 'content-encoding']) removeHeader(headers, name)
}

/** The part of the client's path that matched the listen path. */
export function listenPathOf({ request, pathWithVersion }: RequestContext): string {
  // The path below the listen path may have got a leading slash of its own.
  const extra = request.path.endsWith(pathWithVersion) ? 0 : 1
  return request.path.slice(0, request.path.length - pathWithVersion.length + extra)
}

/** The segment that names the version, if it was stripped; otherwise empty. */
function versionSegmentOf({ path, pathWithVersion }: RequestContext): string {
  const hasSegment = pathWithVersion !== path && pathWithVersion.endsWith(path)
  return hasSegment ? pathWithVersion.slice(0, -path.length) : ''
}

/** Sets the paths that path rules and the upstream see. A path outside the listen path is used whole. */
function movePath(context: RequestContext, path: string): void {
  const { outgoing, api } = context
  const listenPath = listenPathOf(context)
  const versionSegment = versionSegmentOf(context)
  const isBelow = path.startsWith(`${listenPath}/`) || listenPath === ''
  const inner = isBelow ? path.slice(listenPath.length) : path
  const isVersioned = versionSegment !== '' && inner.startsWith(`${versionSegment}/`)
  const below = isVersioned ? inner.slice(versionSegment.length) : inner
  context.pathWithVersion = inner
  context.path = below
  if (context.isRewritten) return
  outgoing.path = api.document.proxy.stripListenPath || !isBelow ? below : listenPath + below
}
