/**
 * Sends one `RequestRecord` per request, rejected or not, to the record sinks, such as metrics and health counters.
 * `write-analytics.ts` writes the analytics records, which other programs read. Without sinks there is no stage.
 */
import { headerOf } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { makePolicyBook } from '../../session/policies/policy-book.ts'
import type { RequestRecord } from '../contract/record-sink.ts'
import type { RejectionReason } from '../contract/rejection-reason.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { OriginalRequest, RequestDetails } from '../contract/request-watcher.ts'
import type { CompileContext, MakeRecordStage } from '../contract/stage.ts'
import { isExplained, isWatched, type KeptTrace, type WatchedOrigin } from '../contract/stage-trace.ts'
import { clientAddressOf } from '../shared/client-address.ts'
import { findRejectionReason } from '../shared/find-rejection-reason.ts'
import { type CredentialMask, makeMask } from '../shared/mask-credentials.ts'
import { urlOf } from '../shared/replace-request.ts'

export const makeRecord: MakeRecordStage = (compileContext) => {
  const { api, version, services } = compileContext
  const { records, clock, watcher } = services
  if (records.length === 0) return null
  const buildDetails = watcher && makeBuildDetails(compileContext)
  return {
    run(context, response) {
      if (isExplained(context.trace)) return
      const { request, rejection } = context
      const entry: RequestRecord = {
        apiId: api.id,
        apiName: api.name,
        orgId: api.orgId,
        method: request.method,
        path: context.path,
        host: headerOf(request.headers, 'host') ?? '',
        clientAddress: clientAddressOf(context, services.settings.routing),
        userAgent: headerOf(request.headers, 'user-agent') ?? '',
        status: response.status,
        keyLogName: context.key?.logName ?? '',
        version: version.name,
        startedAt: context.startedAt,
        totalMs: clock.now() - context.startedAt,
        upstreamMs: context.upstreamMs,
        upstreamAddress: context.upstreamAddress,
        cache: cacheOf(context),
        traceId: context.span?.isRecorded ? context.span.traceId : undefined,
        rejection:
          rejection === undefined
            ? undefined
            : {
                stage: context.rejectedBy ?? '',
                phase: context.rejectedIn,
                code: rejection.code,
                message: rejection.message,
              },
      }
      const { trace } = context
      if (buildDetails !== undefined && trace !== undefined && isWatched(trace)) {
        watcher?.watched(entry, buildDetails(context, response, trace, trace.watched))
      }
      for (const sink of records) sink.record(entry)
    },
  }
}

function cacheOf({ fromCache, cachePlan }: RequestContext): 'hit' | 'miss' | undefined {
  if (fromCache) return 'hit'
  return cachePlan === undefined || cachePlan.kind === 'rfc9111-unsafe' ? undefined : 'miss'
}

type BuildDetails = (
  context: RequestContext,
  response: GatewayResponse,
  trace: KeptTrace,
  origin: WatchedOrigin,
) => RequestDetails

function makeBuildDetails(compileContext: CompileContext): BuildDetails {
  // Made at the first watched request, because most chains never have one.
  let mask: CredentialMask | undefined
  const { settings, policies = () => noPolicies, clock } = compileContext.services
  const { hashKeys } = settings.keys

  return ({ key, credential }, response, trace, { request, port }) => {
    mask ??= makeMask(compileContext)
    if (credential !== undefined) trace.hide(credential)
    if (key !== undefined) trace.hide(key.keyName)
    // Notes name counters by the stored name of the key, which is the key itself unless keys are hashed.
    if (key !== undefined && !hashKeys) trace.hide(key.storedName)
    const { shown } = trace
    const { message } = mask.request(request, undefined)
    return {
      target: shown(urlOf(message)),
      requestHeaders: message.headers.map(shown),
      responseHeaders: mask.response(response.headers, new Uint8Array()).message.map(shown),
      stages: trace.stages.map((stage) => ({ ...stage, notes: stage.notes.map(shown), verdict: shown(stage.verdict) })),
      limits: trace.limits,
      why: shownReason(findRejectionReason(trace, compileContext.api, policies(), clock.now()), shown),
      original: originalOf(request, port),
      shown,
    }
  }
}

const noPolicies = makePolicyBook([])

/** The reason without credentials. */
function shownReason(
  reason: RejectionReason | undefined,
  shown: (text: string) => string,
): RejectionReason | undefined {
  if (reason === undefined) return undefined
  const { message, limit } = reason
  return { ...reason, message: shown(message), ...(limit === undefined ? {} : { limit: shown(limit) }) }
}

function originalOf(request: WatchedOrigin['request'], port: number): OriginalRequest {
  const { method, headers, remoteAddress, secure, body } = request
  return { method, target: urlOf(request), headers, remoteAddress, secure, port, hasBody: body !== undefined }
}
