/**
 * Applies what a script of a stage changed in the request: headers, parameters, URL and body
 * (docs/reference/scripts.md#request-object).
 */
import { parseTargetUrl } from '../../definition/target-url.ts'
import { type HeaderPairs, removeHeader, setHeader } from '../../http/headers.ts'
import { encodeField, formPairs } from '../../lib/form.ts'
import { escapeUrlText } from '../../lib/template/escape-variable.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import { hasDotSegments } from '../../route/hidden-segments.ts'
import type { RequestContext } from '../contract/request-context.ts'
import { describeBody, escapeUrl, replaceRequest, urlOf } from '../shared/replace-request.ts'
import { headerPairs, type RequestChanges } from './script-results.ts'

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
  const isOtherUrl = changes.url !== '' && changes.url !== urlOf(context.request)
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
  const query = url === undefined ? request.query : escapeUrlText(url.query)
  const newQuery = changeParams(query, changes)
  if (url === undefined) outgoing.query = changeParams(outgoing.query, changes)
  else if (!context.isRewritten) outgoing.query = newQuery
  replaceRequest(context, {
    path: url === undefined ? undefined : path,
    query: newQuery,
    headers: clientHeaders,
    body: asClient ? body : undefined,
  })
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
  if (body !== undefined) describeBody(headers, body)
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
