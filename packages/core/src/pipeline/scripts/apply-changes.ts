/**
 * Applies what a script of a stage changed in the request: headers, parameters, URL and body
 * (docs/reference/scripts.md#request-object).
 */
import { parseTargetUrl } from '../../definition/target-url.ts'
import { type HeaderPairs, removeHeader, setHeader } from '../../http/headers.ts'
import { encodeField, formPairs } from '../../lib/form.ts'
import { repairEscapes } from '../../lib/text/percent.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import { hasDotSegments } from '../../route/hidden-segments.ts'
import type { RequestContext } from '../contract/request-context.ts'
import { urlOf } from './script-arguments.ts'
import { headerPairs, type RequestChanges } from './script-results.ts'
import { ScriptedRequest } from './scripted-request.ts'

export interface ChangeOptions {
  /** The body that the script was given. */
  readonly givenBody: string
  /** Later stages see the changed headers and body as the client's; otherwise only the upstream does. */
  readonly asClient: boolean
}

/** Returns a problem if the changes cannot be applied; then the request is unchanged. */
export function applyChanges(
  context: RequestContext,
  changes: RequestChanges,
  { givenBody, asClient }: ChangeOptions,
): string | undefined {
  const isOtherUrl = changes.url !== '' && changes.url !== urlOf(context)
  const url = isOtherUrl ? parseTargetUrl(changes.url) : undefined
  if (isOtherUrl && url === undefined) return 'the URL is not valid'
  // A script may build the path from a parameter, and the rules of the gateway do not resolve dot segments.
  if (url !== undefined && url.path !== context.request.path && hasDotSegments(url.path)) {
    return 'the path of the URL has dot segments'
  }
  const set = headerPairs(changes.setHeaders)
  if (set === undefined) return 'a header in SetHeaders is not valid'
  const removed = (changes.deleteHeaders ?? []).map((name) => name.toLowerCase())
  const body = changes.ignoreBody || changes.body === givenBody ? undefined : utf8Bytes(changes.body)
  const { outgoing, request } = context

  let clientHeaders = request.headers
  if (removed.length > 0 || set.length > 0 || body !== undefined) {
    // First, since the list for the upstream may be the client's until it is copied.
    if (asClient) clientHeaders = changeHeaders(request.headers.slice(), removed, set, body)
    changeHeaders(outgoing.ownHeaders(), removed, set, body)
  }
  if (body !== undefined) outgoing.body = body

  const path = url === undefined ? request.path : escapeUrl(url.path.startsWith('/') ? url.path : `/${url.path}`)
  const query = url === undefined ? request.query : escapeUrl(url.query)
  const newQuery = changeParams(query, changes)
  if (url === undefined) outgoing.query = changeParams(outgoing.query, changes)
  else if (!context.isRewritten) outgoing.query = newQuery
  const replacement = { path, query: newQuery, headers: clientHeaders, body: asClient ? body : undefined }
  replaceRequest(context, replacement, url !== undefined)
  return undefined
}

function changeHeaders(
  headers: HeaderPairs,
  removed: readonly string[],
  set: HeaderPairs,
  body: Uint8Array | undefined,
): HeaderPairs {
  for (const name of removed) removeHeader(headers, name)
  for (let i = 0; i < set.length; i += 2) setHeader(headers, set[i] as string, set[i + 1] as string)
  if (body !== undefined) {
    setHeader(headers, 'content-length', String(body.length))
    // They describe the body of the client.
    for (const name of ['content-md5', 'transfer-encoding', 'content-encoding']) removeHeader(headers, name)
  }
  return headers
}

/** Removes, sets and adds parameters. A changed query is sorted by name; an unchanged one stays byte for byte. */
function changeParams(query: string, { deleteParams, addParams, extendedParams }: RequestChanges): string {
  const added = Object.entries(addParams ?? {})
  const extended = Object.entries(extendedParams ?? {})
  if (added.length === 0 && extended.length === 0 && (deleteParams ?? []).length === 0) return query
  const before = new Map<string, readonly string[]>()
  for (const [name, value] of formPairs(query)) before.set(name, [...(before.get(name) ?? []), value])
  const values = new Map(before)
  for (const name of deleteParams ?? []) values.delete(name)
  for (const [name, value] of added) values.set(name, [value])
  for (const [name, more] of extended) values.set(name, [...(values.get(name) ?? []), ...(more ?? [])])
  const written = writeParams(values)
  return written === writeParams(before) ? query : written
}

function writeParams(values: ReadonlyMap<string, readonly string[]>): string {
  return [...values]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .flatMap(([name, list]) => list.map((value) => `${encodeField(name)}=${encodeField(value)}`))
    .join('&')
}

/** Escapes characters that a URL cannot contain, so that no script can inject a line break into the request line. */
function escapeUrl(text: string): string {
  return repairEscapes(text.toWellFormed().replace(/[^\x21-\x7e]|["<>\\^`{|}]/gu, encodeURIComponent))
}

interface Replacement {
  readonly path: string
  readonly query: string
  readonly headers: HeaderPairs
  readonly body: Uint8Array | undefined
}

function replaceRequest(context: RequestContext, replacement: Replacement, changesPath: boolean): void {
  const { request } = context
  const isSame =
    !changesPath &&
    replacement.query === request.query &&
    replacement.headers === request.headers &&
    replacement.body === undefined
  if (isSame) return
  context.requestUri ??= urlOf(context)
  if (changesPath) movePath(context, replacement.path)
  context.request = new ScriptedRequest(request, replacement)
}

/** Sets the paths that path rules and the upstream see. A path outside the listen path is used whole. */
function movePath(context: RequestContext, path: string): void {
  const { request, outgoing, api } = context
  const strips = api.document.proxy.stripListenPath
  // The path below the listen path may have got a leading slash of its own.
  const extra = request.path.endsWith(context.pathWithVersion) ? 0 : 1
  const listenPath = request.path.slice(0, request.path.length - context.pathWithVersion.length + extra)
  const isBelow = path.startsWith(`${listenPath}/`) || listenPath === ''
  const inner = isBelow ? path.slice(listenPath.length) : path
  // The segment that names the version, if it was stripped.
  const hasSegment = context.pathWithVersion !== context.path && context.pathWithVersion.endsWith(context.path)
  const segment = hasSegment ? context.pathWithVersion.slice(0, -context.path.length) : ''
  const below = segment !== '' && inner.startsWith(`${segment}/`) ? inner.slice(segment.length) : inner
  context.pathWithVersion = inner
  context.path = below
  if (context.isRewritten) return
  outgoing.path = strips || !isBelow ? below : listenPath + below
}
