/**
 * Responds from the cache where the definition decides what is stored. It runs after all stages that count: a cached
 * response needs a valid key and consumes rate and quota (docs/reference/response-cache.md#response-cache).
 *
 * A hit allocates one string (the key), one array (the headers) and one object (the response) and parses nothing.
 */

import {
  bodyLine,
  bodySelects,
  clientLine,
  headerLines,
  loopedLine,
  requestLine,
  versionLine,
} from '../../cache/cache-key.ts'
import type { ConfiguredPlan } from '../../cache/cache-plan.ts'
import { hasUnkeyedRouting, isRequestOfOneClient, routingLines } from '../../cache/client-specific-responses.ts'
import { CollapsedMisses } from '../../cache/collapsed-misses.ts'
import { makeLearnedVariants } from '../../cache/learned-variants.ts'
import { matchesTag } from '../../http/entity-tag.ts'
import { type HeaderPairs, headerOf, headersOf } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { StoredResponse } from '../../ports/stored-response.ts'
import {
  cacheMarkerOf,
  cacheModeOf,
  compileCacheRules,
  isRecordedCache,
  type PathCacheRule,
} from '../cache/cache-rules.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage, Outcome } from '../contract/stage.ts'
import { clientAddressOf } from '../shared/client-address.ts'
import { maxBufferedRequestBytes, withRequestBody } from '../shared/request-body.ts'

export const makeCacheRead: MakeStage = (compileContext) => {
  if (cacheModeOf(compileContext) !== 'configured') return null
  const findRule = compileCacheRules(compileContext)
  if (findRule === null) return null
  const { api, services } = compileContext
  const byHeaders = (api.document.cacheOptions.cacheByHeaders ?? []).map((written) => ({
    written,
    lower: written.toLowerCase(),
  }))
  const marker = cacheMarkerOf(compileContext)
  const { sharePrivate: sharesPrivate } = api.document.cacheOptions
  const isRecorded = isRecordedCache(compileContext)
  const inKey = new Set(byHeaders.map(({ lower }) => lower))
  const variants = isRecorded ? undefined : makeLearnedVariants(inKey)
  const keepsHost = api.document.proxy.preserveHostHeader
  const bodyLimit = maxBufferedRequestBytes(services)
  const { responses } = services.store
  const misses = new CollapsedMisses(services.clock)
  const { versioning } = api
  // Otherwise the URL contains the version.
  const inHeader = versioning.kind === 'named' && versioning.location === 'header'
  const version = inHeader ? versionLine(compileContext.version.name) : ''

  const addressLine = makeAddressLine(compileContext)

  const look = (context: RequestContext, rule: PathCacheRule, body: string, mayWait = true): Maybe<Outcome> => {
    const { request, outgoing, key } = context
    const from = context.loopLevel === 0 ? version : loopedLine + version
    const lines = byHeaders.length === 0 ? body : headerLines(outgoing.headers, byHeaders) + body
    // All requests of one method, path and version have a key or none has, so key names and addresses cannot collide.
    const client = key === undefined ? addressLine(context) : clientLine(key.keyName)
    const routing = key === undefined && !sharesPrivate ? routingLines(request.headers, keepsHost) : ''
    const url = requestLine(request.method, request.path, request.query) + from
    const after = lines + client
    const name = url + routing + (variants?.linesFor(url, request.headers) ?? '') + after
    return when(responses.get(api.id, name), (stored) => {
      const fits = stored !== undefined && (variants?.fits(url, stored.headers, request.headers) ?? true)
      if (fits) return give(context, stored, marker)
      const isShared = key === undefined && !sharesPrivate && !isRecorded
      if (isShared && isRoutedByOthers(context, inKey)) return undefined
      const joined = mayWait && !isRecorded ? joinMiss(misses, context, name) : undefined
      if (joined instanceof Promise) return joined.then(() => look(context, rule, body, false))
      const learnedName = (response: HeaderPairs) =>
        !context.usedCallerData && variants?.learn(url, response)
          ? url + routing + variants.linesFor(url, request.headers) + after
          : undefined
      const nameFor = variants === undefined ? () => name : learnedName
      return planWrite(compileContext, context, { nameFor, rule, miss: joined })
    })
  }

  return {
    withoutStore: 'continues',
    run(context) {
      const rule = findRule(context)
      if (rule === undefined || context.request.upgrade !== undefined) return undefined
      if (!sharesPrivate && isOfOneClient(context)) return undefined
      if (context.graphql !== undefined) return look(context, rule, bodyLine(partOf(context.graphql.body, rule)))
      if (!bodySelects(context.request.method)) {
        // The upstream can read a body that the cache key does not contain.
        return context.request.body !== undefined && !isRecorded ? undefined : look(context, rule, '')
      }
      // The body is too long to be buffered, so the request bypasses the cache.
      if ((context.request.bodyLength ?? 0) > bodyLimit) return undefined
      return withRequestBody(context, services, (body) => look(context, rule, bodyLine(partOf(body, rule))))
    },
  }
}

/** Returns the part of the cache key for the address of the client. */
function makeAddressLine({ api, services }: CompileContext): (context: RequestContext) => string {
  const { routing } = services.settings
  const { sharePrivate } = api.document.cacheOptions
  return (context) => {
    const address = clientAddressOf(context, routing)
    const peer = context.request.remoteAddress
    // A client can claim any address, so a claimed one counts only together with the peer of the connection.
    return clientLine(sharePrivate || address === peer ? address : `${address} ${peer}`)
  }
}

function isRoutedByOthers({ request, trace }: RequestContext, inKey: ReadonlySet<string>): boolean {
  if (!hasUnkeyedRouting(request.headers, inKey)) return false
  trace?.note('not stored: a header that is not in the cache key can change the response')
  return true
}

function joinMiss(misses: CollapsedMisses, { loopLevel, trace }: RequestContext, name: string) {
  // A looped request could wait for itself.
  return loopLevel === 0 && !trace?.dry ? misses.join(name) : undefined
}

/** Makes the plan for the response of the upstream. A dry run stores nothing. */
function planWrite(
  { api, services }: CompileContext,
  context: RequestContext,
  plan: Pick<ConfiguredPlan, 'nameFor' | 'rule' | 'miss'>,
): Maybe<Outcome> {
  context.trace?.note('not in the cache')
  if (context.trace?.dry) return undefined
  return when(services.store.responses.version(api.id), (version) => {
    let vary: HeaderPairs = []
    context.cachePlan = {
      kind: 'configured',
      ...plan,
      noteUpstream: (headers) => {
        vary = headersOf(headers, 'vary').flatMap((line) => ['vary', line])
      },
      nameFor: (headers) => plan.nameFor([...vary, ...headers]),
      version,
    }
    return undefined
  })
}

/** Whether the response must not be shared by the requests that have the same client line. */
function isOfOneClient({ key, request, trace }: RequestContext): boolean {
  if (key !== undefined ? key.isNamed : !isRequestOfOneClient(request)) return false
  const reason =
    key === undefined ? 'has a cookie, an authorization or a certificate' : 'was authenticated without a key name'
  trace?.note(`not cached: the request ${reason}`)
  return true
}

/**
 * Returns the part of the body that belongs to the cache key; empty if the pattern does not match, the whole body if it is
 * too long for the pattern.
 */
function partOf(body: Uint8Array, { bodyPart }: PathCacheRule): Uint8Array {
  if (bodyPart === undefined) return body
  const text = utf8Text(body)
  if (text.length > bodyPart.maxLocatedLength) return body
  return utf8Bytes(bodyPart.exec(text)?.groups[0] ?? '')
}

function give(context: RequestContext, stored: StoredResponse, marker: string): GatewayResponse {
  context.fromCache = true
  context.shaped = true
  context.trace?.note('in the cache')
  const headers: HeaderPairs = stored.headers.slice()
  headers.push(marker, '1')
  if (stored.etag !== undefined && isUnchanged(context, stored.etag)) return { status: 304, headers, body: undefined }
  return { status: stored.status, headers, body: stored.body, bodyLength: stored.bodyLength }
}

function isUnchanged({ request }: RequestContext, etag: string): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const known = headerOf(request.headers, 'if-none-match')
  return known !== undefined && matchesTag(known, etag)
}
