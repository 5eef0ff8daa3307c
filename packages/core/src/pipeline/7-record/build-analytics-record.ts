/**
 * Builds the analytics record of a request, without the bodies of detailed records
 * (docs/reference/analytics.md#record-fields).
 */
import { parseTargetUrl } from '../../definition/target-url.ts'
import { type HeaderPairs, headerOf, headersOf } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { type AnalyticsSettings, noExpiryMs } from '../../observability/analytics/analytics.ts'
import type { AnalyticsRecord } from '../../ports/analytics-record.ts'
import type { Session } from '../../ports/session.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import { policyIdsOf } from '../../session/policies/policies-of-session.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext } from '../contract/stage.ts'
import { clientAddressOf } from '../shared/client-address.ts'
import { compilePathRules } from '../shared/match-path-rules.ts'

type BuildRecord = (context: RequestContext, response: GatewayResponse) => AnalyticsRecord

const noBytes = new Uint8Array(0)

export function makeBuildRecord(compileContext: CompileContext, settings: AnalyticsSettings): BuildRecord {
  const { api, version, services } = compileContext
  const { document } = api
  const { routing } = services.settings
  const targetHost = parseTargetUrl(version.overrideTarget || document.proxy.targetUrl)?.authority ?? ''
  const apiVersion = api.versioning.kind === 'named' ? version.name : 'Non Versioned'
  const ageMs = document.expireAnalyticsAfter > 0 ? document.expireAnalyticsAfter * 1000 : noExpiryMs
  const findTracked = compilePathRules(version.paths.trackEndpoints, compileContext, (rule) => rule.path)
  const tagsOf = makeTags(compileContext, settings)
  const vendor = services.settings.vendor.toLowerCase()
  const strips = document.proxy.stripListenPath

  return (context, response) => {
    const { request, key, startedAt } = context
    const session = key?.session
    const now = services.clock.now()
    const rawPath = strips ? context.path : request.path
    const tracked = findTracked?.(context)
    const orgAge = settings.orgDataAge ? (context.org?.session.dataExpires ?? 0) : 0
    const apiKey = key?.storedName ?? ''
    return {
      method: request.method,
      host: context.upstreamAddress === '' ? targetHost : context.upstreamAddress,
      path: tracked ?? settings.normalisePath?.(rawPath) ?? rawPath,
      rawPath,
      contentLength: request.bodyLength ?? -1,
      userAgent: headerOf(request.headers, 'user-agent') ?? '',
      responseCode: response.status,
      apiKey,
      at: startedAt,
      apiVersion,
      apiName: api.name,
      apiId: api.id,
      orgId: api.orgId,
      oauthId: session?.oauthClientId ?? '',
      totalMs: now - startedAt,
      upstreamMs: context.rejection === undefined ? context.upstreamMs : 0,
      rawRequest: noBytes,
      rawResponse: noBytes,
      ipAddress: clientAddressOf(context, routing),
      tags: tagsOf(context, apiKey),
      alias: session === undefined ? '' : aliasOf(session, vendor),
      trackPath: tracked !== undefined,
      expireAt: now + (orgAge > 0 ? orgAge * 1000 : ageMs),
      mcp: mcpFacts(context),
    }
  }
}

function mcpFacts({ mcp }: RequestContext): AnalyticsRecord['mcp'] {
  if (mcp === undefined) return undefined
  const { method, primitive } = mcp
  return { method, primitiveType: primitive?.kind ?? '', primitiveName: primitive?.name ?? '' }
}

/** Tags of a key and of an API are computed once. */
function makeTags({ api, services }: CompileContext, settings: AnalyticsSettings) {
  const vendor = services.settings.vendor.toLowerCase()
  const { tags, tagHeaders } = api.document
  const apiTags = tags ?? []
  const named = [...new Set([...(tagHeaders ?? []).map((name) => name.toLowerCase()), ...settings.tagHeaders])]
  const byKey = new WeakMap<CachedKey, readonly string[]>()
  const ofKey = (key: CachedKey) => {
    let made = byKey.get(key)
    if (made === undefined) {
      made = sessionTags(key.session, vendor)
      byKey.set(key, made)
    }
    return made
  }
  return ({ key, request, fromCache }: RequestContext, apiKey: string): string[] => [
    ...(key === undefined ? [] : ofKey(key)),
    ...(named.length === 0 ? [] : headerTags(request.headers, named)),
    ...apiTags,
    ...(fromCache ? ['cached-response'] : []),
    ...ownTags(apiKey, api.orgId, api.id),
  ]
}

/**
 * Returns the tags of a session that are the same on every API: policies, developer, its own tags. All tags are in the
 * order that readers expect (docs/reference/analytics.md#record-tags).
 */
function sessionTags(session: Session, vendor: string): readonly string[] {
  const tags = policyIdsOf(session).map((id) => `pol-${id}`)
  const developer = session.metaData?.[`${vendor}_developer_id`]
  if (typeof developer === 'string' && developer !== '') tags.push(`dev-${developer}`)
  if (session.tags !== null) tags.push(...session.tags)
  return tags
}

/** The alias of the key, otherwise the e-mail address of its developer. */
function aliasOf(session: Session, vendor: string): string {
  const email = session.metaData?.[`${vendor}_developer_email`]
  return session.alias !== '' || typeof email !== 'string' ? session.alias : email
}

/** Tags from the headers that the API or the gateway configures; each header line gives one tag. */
function headerTags(headers: HeaderPairs, names: readonly string[]): string[] {
  return names.flatMap((name) => headersOf(headers, name).map((value) => `${name}-${value}`))
}

/** The last tags: key, organisation, API. */
function ownTags(apiKey: string, orgId: string, apiId: string): string[] {
  const tags = apiKey === '' ? [] : [`key-${apiKey}`]
  if (orgId !== '') tags.push(`org-${orgId}`)
  tags.push(`api-${apiId}`)
  return tags
}
