/** Sends one entry per request, rejected or not, to the record sinks. Without sinks there is no stage. */

import { headerOf } from '../../http/headers.ts'
import type { RequestRecord } from '../contract/record-sink.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeRecordStage } from '../contract/stage.ts'
import { isExplained, isWatched } from '../contract/trace.ts'
import { clientAddressOf } from '../shared/client-address.ts'
import { makeBuildDetails } from './watched-details.ts'

export const makeRecord: MakeRecordStage = (compileContext) => {
  const { api, version, services } = compileContext
  const { records, clock, watcher } = services
  if (records.length === 0) return null
  const buildDetails = watcher && makeBuildDetails(compileContext)
  return {
    name: 'record',
    phase: '7-record',
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
