/**
 * The list of all stages, in the order in which a request passes them. The order is observable behaviour
 * (docs/reference/request-pipeline.md#step-order, docs/reference/request-checks.md#order-of-checks), and this file is
 * the only place that defines it; `place-stages.ts` inserts the stages of plugins. A test checks that phases never
 * decrease and that every stage file is listed.
 */

import { makeClientCertificate } from './1-accept/client-certificate.ts'
import { makeCors } from './1-accept/cors.ts'
import { makePathLists } from './1-accept/enforce-path-lists.ts'
import { makeGraphqlPlayground } from './1-accept/graphql-playground.ts'
import { makeIpFilter } from './1-accept/ip-filter.ts'
import { makeMcpMessage } from './1-accept/mcp-message.ts'
import { makeOptionsPassthrough } from './1-accept/options-passthrough.ts'
import { makeOrgInactive } from './1-accept/org-inactive.ts'
import { makeOrgLimits } from './1-accept/org-limits.ts'
import { makeResourceMetadata } from './1-accept/resource-metadata.ts'
import { makeScriptPre } from './1-accept/script-pre.ts'
import { makeSizeLimit } from './1-accept/size-limit.ts'
import { makeUnsupportedGuard } from './1-accept/unsupported-guard.ts'
import { makeVersionCheck } from './1-accept/version-check.ts'
import { makeAuthGroups } from './2-identify/auth-groups.ts'
import { makeAuthToken } from './2-identify/auth-token.ts'
import { makeBasicAuth } from './2-identify/basic-auth.ts'
import { makeExternalOAuth } from './2-identify/external-oauth.ts'
import { makeHmac } from './2-identify/hmac.ts'
import { makeJwt } from './2-identify/jwt.ts'
import { makeOAuthToken } from './2-identify/oauth-token.ts'
import { makeOpenId } from './2-identify/openid.ts'
import { makeScriptAuth } from './2-identify/script-auth.ts'
import { makeScriptPostKeyAuth } from './2-identify/script-post-key-auth.ts'
import { makeStripAuthData } from './2-identify/strip-auth-data.ts'
import { makeAllowedUrls } from './3-admit/allowed-urls.ts'
import { makeApiRateLimit } from './3-admit/api-rate-limit.ts'
import { makeKeyLimits } from './3-admit/key-limits.ts'
import { makeKeyAccess } from './3-admit/key-state-and-access.ts'
import { makeMcpAdmit } from './3-admit/mcp-admit.ts'
import { makeBodyTransform } from './4-shape-request/body-transform.ts'
import { makeContextVariables } from './4-shape-request/context-variables.ts'
import { makeDetailTap } from './4-shape-request/detail-tap.ts'
import { makeGraphqlCheck } from './4-shape-request/graphql-check.ts'
import { makeGraphqlRequest } from './4-shape-request/graphql-request.ts'
import { makeMethodTransform } from './4-shape-request/method-transform.ts'
import { makeHeaders } from './4-shape-request/request-headers.ts'
import { makeResponseCodings } from './4-shape-request/response-codings.ts'
import { makeStoredOperation } from './4-shape-request/stored-operation.ts'
import { makeUrlRewrite } from './4-shape-request/url-rewrite.ts'
import { makeValidateJson } from './4-shape-request/validate-json.ts'
import { makeValidateRequest } from './4-shape-request/validate-request.ts'
import { makeCacheRead } from './5-respond/cache-read-configured.ts'
import { makeCacheReadRfc9111 } from './5-respond/cache-read-rfc9111.ts'
import { makeCircuitBreaker } from './5-respond/circuit-breaker.ts'
import { makeDiscoverTarget } from './5-respond/discover-target.ts'
import { makeFollowLoop } from './5-respond/follow-loop.ts'
import { makeForward } from './5-respond/forward.ts'
import { makeHardTimeout } from './5-respond/hard-timeout.ts'
import { makeMockFromDocument } from './5-respond/mock-from-document.ts'
import { makeRespondFromSchema } from './5-respond/respond-from-schema.ts'
import { makeScriptPost } from './5-respond/script-post.ts'
import { makeScriptedEndpoint } from './5-respond/scripted-endpoint.ts'
import { makeSignRequest } from './5-respond/sign-request.ts'
import { makeUpstreamAuth } from './5-respond/upstream-auth.ts'
import { makeCacheWrite } from './6-shape-response/cache-write-configured.ts'
import { makeCacheWriteRfc9111 } from './6-shape-response/cache-write-rfc9111.ts'
import { makeGraphqlResponse } from './6-shape-response/graphql-response.ts'
import { makeHeaderCleanup } from './6-shape-response/header-cleanup.ts'
import { makeMcpListFilter } from './6-shape-response/mcp-list-filter.ts'
import { makeOverrideUpstreamErrors } from './6-shape-response/override-upstream-errors.ts'
import { makeOwnHeaders } from './6-shape-response/own-headers.ts'
import { makeRateLimitHeaders } from './6-shape-response/rate-limit-headers.ts'
import { makeResponseBody } from './6-shape-response/response-body.ts'
import { makeResponseHeaders } from './6-shape-response/response-headers.ts'
import { makeScriptResponse } from './6-shape-response/script-response.ts'
import { makeAccessLog } from './7-record/access-log.ts'
import { makeDescribeSpan } from './7-record/describe-span.ts'
import { makeFireEvents } from './7-record/fire-events.ts'
import { makeMonitorQuotas } from './7-record/monitor-quotas.ts'
import { makeAnalytics } from './7-record/write-analytics.ts'
import { makeRecord } from './7-record/write-request-record.ts'
import { type Phase, phases } from './contract/phase.ts'
import type {
  MakeRecordStage,
  MakeResponseStage,
  MakeStage,
  OrderEntry,
  RecordStage,
  ResponseStage,
  Stage,
} from './contract/stage.ts'

export interface StageOrder {
  readonly stages: readonly OrderEntry<Stage>[]
  readonly responses: readonly OrderEntry<ResponseStage>[]
  readonly records: readonly OrderEntry<RecordStage>[]
}

/** Stages before the response, by phase and name. */
const requestStages = {
  // is the request served
  '1-accept': {
    'org-inactive': makeOrgInactive,
    'mcp-message': makeMcpMessage,
    'options-passthrough': makeOptionsPassthrough,
    'version-check': makeVersionCheck,
    'path-lists': makePathLists,
    cors: makeCors,
    // For APIs that use a feature which this gateway does not support; the name is recorded.
    'unavailable-guard': makeUnsupportedGuard,
    'script-pre': makeScriptPre,
    'ip-filter': makeIpFilter,
    'graphql-playground': makeGraphqlPlayground,
    'client-certificate': makeClientCertificate,
    'org-limits': makeOrgLimits,
    'size-limit': makeSizeLimit,
    'resource-metadata': makeResourceMetadata,
  },
  // who sends it; if an API has several modes, all of them must pass, in this order, unless they are alternatives
  '2-identify': {
    'auth-groups': makeAuthGroups,
    'oauth-token': makeOAuthToken,
    'external-oauth': makeExternalOAuth,
    'basic-auth': makeBasicAuth,
    hmac: makeHmac,
    jwt: makeJwt,
    openid: makeOpenId,
    'script-auth': makeScriptAuth,
    'auth-token': makeAuthToken,
    'strip-auth-data': makeStripAuthData,
    'script-post-key-auth': makeScriptPostKeyAuth,
  },
  // is it within limits
  '3-admit': {
    'key-access': makeKeyAccess,
    'allowed-urls': makeAllowedUrls,
    'key-limits': makeKeyLimits,
    'api-rate-limit': makeApiRateLimit,
    'mcp-admit': makeMcpAdmit,
  },
  // what the upstream gets
  '4-shape-request': {
    'detail-tap': makeDetailTap,
    'context-variables': makeContextVariables,
    'graphql-check': makeGraphqlCheck,
    'validate-json': makeValidateJson,
    'validate-request': makeValidateRequest,
    'stored-operation': makeStoredOperation,
    'body-transform': makeBodyTransform,
    headers: makeHeaders,
    'response-codings': makeResponseCodings,
    'url-rewrite': makeUrlRewrite,
    'method-transform': makeMethodTransform,
    'graphql-request': makeGraphqlRequest,
  },
  // the first that returns a response or a rejection ends the phase; others prepare the call to the upstream
  '5-respond': {
    'respond-from-schema': makeRespondFromSchema,
    'mock-from-document': makeMockFromDocument,
    'cache-read': makeCacheRead,
    'cache-read-rfc9111': makeCacheReadRfc9111,
    'scripted-endpoint': makeScriptedEndpoint,
    'sign-request': makeSignRequest,
    'script-post': makeScriptPost,
    'follow-loop': makeFollowLoop,
    'upstream-auth': makeUpstreamAuth,
    'hard-timeout': makeHardTimeout,
    'circuit-breaker': makeCircuitBreaker,
    'discover-target': makeDiscoverTarget,
    forward: makeForward,
  },
} as const satisfies Partial<Record<Phase, Readonly<Record<string, MakeStage>>>>

/** Stages that shape the responses of phase 5. */
const responseStages = {
  // This cache stores responses as the upstream sent them, so the stages below run for each cached response too.
  'cache-write-rfc9111': makeCacheWriteRfc9111,
  'mcp-list-filter': makeMcpListFilter,
  'graphql-response': makeGraphqlResponse,
  'response-body': makeResponseBody,
  'response-headers': makeResponseHeaders,
  'header-cleanup': makeHeaderCleanup,
  'script-response': makeScriptResponse,
  'override-upstream-errors': makeOverrideUpstreamErrors,
  // Responses from this cache continue here: the stages below set headers that differ from request to request.
  'cache-write': makeCacheWrite,
  'own-headers': makeOwnHeaders,
  'rate-limit-headers': makeRateLimitHeaders,
} as const satisfies Readonly<Record<string, MakeResponseStage>>

/** Stages that run once the response is known. */
const recordStages = {
  'describe-span': makeDescribeSpan,
  record: makeRecord,
  'access-log': makeAccessLog,
  analytics: makeAnalytics,
  'fire-events': makeFireEvents,
  'monitor-quotas': makeMonitorQuotas,
} as const satisfies Readonly<Record<string, MakeRecordStage>>

type NamesIn<Stages> = Stages extends unknown ? keyof Stages : never
/** Names of the stages before the response. `place-stages.ts` uses them as anchors. */
export type StageName = NamesIn<(typeof requestStages)[keyof typeof requestStages]>
export type ResponseStageName = keyof typeof responseStages

/** The entries of stages of one phase, in the order of the record. */
export function inPhase<S>(
  phase: Phase,
  makers: Readonly<Record<string, OrderEntry<S>['make']>>,
): readonly OrderEntry<S>[] {
  return Object.entries(makers).map(([name, make]) => ({ name, phase, make }))
}

export const stageOrder: StageOrder = {
  stages: phases.flatMap((phase) =>
    phase in requestStages ? inPhase<Stage>(phase, requestStages[phase as keyof typeof requestStages]) : [],
  ),
  responses: inPhase<ResponseStage>('6-shape-response', responseStages),
  records: inPhase<RecordStage>('7-record', recordStages),
}
