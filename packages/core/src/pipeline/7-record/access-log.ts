/**
 * Collects the fields of a request's line in the access log: for each request that the API proxied, served from the
 * cache or rejected. `AccessLog.write` of the services writes the line; in the `turnpike` package that is
 * `gateway/write-access-log.ts` (docs/reference/logs.md#access-log).
 */
import { authModes } from '../../definition/auth-modes/auth-modes.ts'
import { graphqlSettingsOf } from '../../definition/graphql-settings.ts'
import { speaksMcp } from '../../definition/mcp/primitive.ts'
import { detailsOf, flagOf, upstreamErrorFlag } from '../../http/error-flags.ts'
import { headerOf } from '../../http/headers.ts'
import { type GatewayRequest, type GatewayResponse, httpVersionOf } from '../../http/messages.ts'
import { hashKeyName } from '../../lib/hash/hash-key-name.ts'
import { formatRfc3339 } from '../../lib/text/time.ts'
import type { AccessLogFields } from '../contract/access-log-fields.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeRecordStage } from '../contract/stage.ts'
import { isExplained } from '../contract/stage-trace.ts'
import { rpcCodeOf } from '../mcp/rpc-error.ts'
import { clientAddressOf } from '../shared/client-address.ts'

type Kind = 'proxied' | 'upstream-failure' | 'cached' | 'rejected'

export const makeAccessLog: MakeRecordStage = (compileContext) => {
  const { api, services } = compileContext
  const { accessLog } = services
  if (accessLog === undefined) return null
  const ofApi = { api_id: api.id, api_name: api.name, api_type: apiTypeOf(compileContext), org_id: api.orgId }
  return {
    run(context, response) {
      const kind = isExplained(context.trace) ? undefined : kindOf(context)
      if (kind === undefined || (kind === 'rejected' && api.document.doNotTrack)) return
      const fields = {
        ...ofApi,
        ...requestFields(context, compileContext),
        ...pathFields(context, kind),
        status: response.status,
        ...(kind === 'upstream-failure' ? {} : { type: 'request' }),
        ...(kind === 'rejected' || kind === 'cached' ? stageFields(context, kind, compileContext) : {}),
        ...errorFields(context, kind),
        ...mcpFields(context, response),
        ...spanFields(context),
      }
      accessLog.write({ fields, isUpstreamFailure: kind === 'upstream-failure' })
    },
  }
}

function spanFields({ span }: RequestContext): AccessLogFields {
  return span === undefined ? {} : { span_id: span.spanId, trace_id: span.traceId }
}

const callingStages = ['forward', 'circuit-breaker', 'hard-timeout', 'discover-target'] as const
/** `pipeline/stage-order.test.ts` checks that there are stages of these names. */
export type CallingStage = (typeof callingStages)[number]
const callingStageNames: ReadonlySet<string | undefined> = new Set(callingStages)

/** `undefined` for mocks, scripted endpoints and other responses of the gateway, which have no line. */
function kindOf({ rejection, rejectedBy, fromCache, upstreamStatus }: RequestContext): Kind | undefined {
  if (rejection !== undefined) return callingStageNames.has(rejectedBy) ? 'upstream-failure' : 'rejected'
  if (fromCache) return 'cached'
  return upstreamStatus === 0 ? undefined : 'proxied'
}

function apiTypeOf({ api }: CompileContext): string {
  if (graphqlSettingsOf(api.document.graphql) !== undefined) return 'graphql'
  if (speaksMcp(api.document)) return 'mcp'
  return api.document.isOas ? 'oas' : 'classic'
}

function requestFields(context: RequestContext, { services }: CompileContext): AccessLogFields {
  const { request, startedAt, upstreamMs } = context
  const { settings, clock } = services
  const totalMs = Math.max(upstreamMs, clock.now() - startedAt)
  return {
    api_key: keyField(context, settings.keys.hashKeys),
    client_ip: clientAddressOf(context, settings.routing),
    host: headerOf(request.headers, 'host') ?? '',
    latency_gateway: totalMs - upstreamMs,
    latency_total: totalMs,
    method: request.method,
    protocol: `HTTP/${httpVersionOf(request)}`,
    remote_addr: peerOf(request),
    upstream_latency: upstreamMs,
    user_agent: headerOf(request.headers, 'user-agent') ?? '',
  }
}

function peerOf({ remoteAddress, remotePort }: GatewayRequest): string {
  if (remotePort === undefined) return remoteAddress
  return remoteAddress.includes(':') ? `[${remoteAddress}]:${remotePort}` : `${remoteAddress}:${remotePort}`
}

/** The hash of the key with `hash_keys`, otherwise its last four characters. */
function keyField({ key }: RequestContext, hashKeys: boolean): string {
  if (hashKeys) return key?.storedName ?? hashKeyName('')
  return key === undefined || key.keyName.length <= 4 ? '--' : `****${key.keyName.slice(-4)}`
}

/** What was sent to the upstream, otherwise the path of the client; without query. */
function pathFields({ request, upstreamOrigin, upstreamPath }: RequestContext, kind: Kind): AccessLogFields {
  const wasSent = upstreamPath !== '' && (kind === 'proxied' || kind === 'upstream-failure')
  if (!wasSent) return { path: request.path, upstream_addr: request.path }
  const path = withoutQuery(upstreamPath)
  return { path, upstream_addr: upstreamOrigin + path }
}

function withoutQuery(path: string): string {
  const mark = path.indexOf('?')
  return mark === -1 ? path : path.slice(0, mark)
}

function stageFields(context: RequestContext, kind: Kind, { services }: CompileContext): AccessLogFields {
  const { settings } = services
  const known = context.key === undefined ? {} : { key: keyField(context, settings.keys.hashKeys) }
  const stage = kind === 'cached' ? 'cache-read' : (context.rejectedBy ?? '')
  const name = recordedStageName(stage, context.rejection?.code)
  return { mw: name, origin: clientAddressOf(context, settings.routing), ...known }
}

function errorFields(context: RequestContext, kind: Kind): AccessLogFields {
  const { rejection, rejectedBy = '', upstreamStatus, upstreamAddress, upstreamPath } = context
  if (kind === 'proxied' && upstreamStatus >= 500 && upstreamStatus <= 599) {
    return {
      response_flag: upstreamErrorFlag,
      response_code_details: 'upstream_response_5xx',
      error_source: 'Upstream',
      error_target: upstreamAddress,
      upstream_status: upstreamStatus,
    }
  }
  const flag = rejection === undefined ? '' : flagOf(rejection)
  if (rejection === undefined || flag === '') return {}
  const common = { response_flag: flag, response_code_details: detailsOf(rejection, rejectedBy) }
  if (kind !== 'upstream-failure') return { ...common, error_source: recordedStageName(rejectedBy, rejection.code) }
  return {
    ...common,
    error_source: 'ReverseProxy',
    error_target: upstreamAddress + withoutQuery(upstreamPath),
    ...(rejection.code === 'breaker-open' ? { circuit_breaker_state: 'OPEN' } : {}),
    ...certificateFields(context),
  }
}

function certificateFields({ expiredCertificate }: RequestContext): AccessLogFields {
  if (expiredCertificate === undefined) return {}
  const { expiredAt, subject } = expiredCertificate
  return { tls_cert_expiry: formatRfc3339(expiredAt), tls_cert_subject: subject }
}

function mcpFields({ mcp, rejection }: RequestContext, { status }: GatewayResponse): AccessLogFields {
  if (mcp === undefined) return {}
  const { method, primitive } = mcp
  return {
    mcp_method: method,
    ...(primitive === undefined ? {} : { mcp_primitive_type: primitive.kind, mcp_primitive_name: primitive.name }),
    ...(rejection === undefined ? {} : { mcp_error_code: rejection.rpcCode ?? rpcCodeOf(status) }),
  }
}

/** Names of stages in the access log. They are those of original gateways, for which people wrote filters. */
const namesOfStages = {
  'org-inactive': 'OrganizationMonitor',
  'org-limits': 'OrganizationMonitor',
  'version-check': 'VersionCheck',
  'path-lists': 'VersionCheck',
  'ip-filter': 'IPWhiteListMiddleware',
  'client-certificate': 'CertificateCheckMW',
  'size-limit': 'RequestSizeLimitMiddleware',
  'allowed-urls': 'GranularAccessMiddleware',
  'key-limits': 'RateLimitAndQuotaCheck',
  'api-rate-limit': 'RateLimitForAPI',
  'graphql-check': 'GraphQLMiddleware',
  'validate-json': 'ValidateJSON',
  'validate-request': 'ValidateRequest',
  'body-transform': 'TransformMiddleware',
  'method-transform': 'TransformMethod',
  'url-rewrite': 'URLRewriteMiddleware',
  'cache-read': 'RedisCacheMiddleware',
} as const

/** `pipeline/stage-order.test.ts` checks that there are stages of these names. */
export type RecordedStage = keyof typeof namesOfStages | typeof keyAccess

const keyAccess = 'key-access'

const names: ReadonlyMap<string, string> = new Map([
  ...Object.entries(namesOfStages),
  ...authModes.map(({ stage, recordedStage = stage }) => [stage, recordedStage] as const),
])

/** The name of a stage; its own if original gateways have no such stage. `code`: the code of its rejection. */
export function recordedStageName(stage: string, code: string | undefined): string {
  if (stage === keyAccess) return code === 'api-forbidden' ? 'AccessRightsCheck' : 'KeyExpired'
  return names.get(stage) ?? stage
}
