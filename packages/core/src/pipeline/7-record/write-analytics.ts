/**
 * Writes one analytics record for each request that reached the API, unless tracking is off
 * (docs/reference/analytics.md#analytics). A detailed record of a streamed response is written when the stream ends.
 */

import { headerOf } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { isPromise } from '../../lib/maybe.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { Analytics } from '../../observability/analytics/analytics.ts'
import { DetailCapture } from '../../observability/analytics/detail-capture.ts'
import { requestWireForm, responseWireForm } from '../../observability/analytics/http1-text.ts'
import type { AnalyticsRecord } from '../../ports/analytics-record.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeRecordStage } from '../contract/stage.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { isExplained } from '../contract/stage-trace.ts'
import { clientAddressOf } from '../shared/client-address.ts'
import { type CredentialMask, makeCredentialMask } from '../shared/mask-credentials.ts'
import { compilePathRules } from '../shared/match-path-rules.ts'
import { isCoded, type ReadableBody, readable } from '../shared/readable-body.ts'
import { mayWantDetail, wantsDetail } from '../shared/wants-detail.ts'
import { makeBuildRecord } from './build-analytics-record.ts'

const noBytes = new Uint8Array(0)

export const makeAnalytics: MakeRecordStage = (compileContext) => {
  const { api, version, services } = compileContext
  const { analytics } = services
  if (analytics === undefined || api.document.doNotTrack) return null
  const { settings } = analytics
  const build = makeBuildRecord(compileContext, settings)
  const untracked = compilePathRules(version.paths.doNotTrackEndpoints, compileContext, () => true)
  const { routing } = services.settings
  const mask = mayWantDetail(compileContext) ? makeCredentialMask(compileContext) : undefined

  const write = (context: RequestContext, response: GatewayResponse) => {
    const record = build(context, response)
    if (mask !== undefined && wantsDetail(context, settings) && !isStreaming(response))
      writeDetailed(record, context, response, { analytics, mask, services })
    else analytics.write(record)
  }
  const withOrg = settings.orgDataAge || settings.orgDetail ? makeWithOrg(compileContext, write) : write

  return {
    run(context, response) {
      if (isExplained(context.trace) || untracked?.(context)) return
      const { ignoredAddresses } = settings
      if (ignoredAddresses.size > 0 && ignoredAddresses.has(clientAddressOf(context, routing))) return
      withOrg(context, response)
    },
  }
}

/** Looks up the organisation if no earlier stage did. */
function makeWithOrg(
  { api, services }: CompileContext,
  write: (context: RequestContext, response: GatewayResponse) => void,
) {
  return (context: RequestContext, response: GatewayResponse): void => {
    if (context.org !== undefined || api.orgId === '') {
      write(context, response)
      return
    }
    const found = services.orgs.find(api.orgId)
    if (!isPromise(found)) {
      context.org = found
      write(context, response)
      return
    }
    // The response is sent before the organisation is known, so its body cannot be captured.
    const head: GatewayResponse = { status: response.status, headers: response.headers, body: undefined }
    found.then(
      (org) => {
        context.org = org
        write(context, head)
      },
      () => write(context, head),
    )
  }
}

/** Returns true for event streams, which may never end, and for upgraded connections. */
function isStreaming(response: GatewayResponse): boolean {
  return (
    response.tunnel !== undefined || (headerOf(response.headers, 'content-type') ?? '').startsWith('text/event-stream')
  )
}

interface DetailServices {
  readonly analytics: Analytics
  readonly mask: CredentialMask
  readonly services: StageServices
}

function writeDetailed(
  record: AnalyticsRecord,
  context: RequestContext,
  response: GatewayResponse,
  { analytics, mask, services }: DetailServices,
): void {
  const { status, body } = response
  const headers = response.headers.slice()
  const limit = analytics.settings.detailBytes
  const { method, query, headers: requestHeaders } = context.request
  const write = (question: ReadableBody, found: ReadableBody) => {
    const request = mask.request({ method, path: record.rawPath, query, headers: question.headers }, question.body)
    const received = mask.response(found.headers, found.body)
    analytics.write({
      ...record,
      rawRequest: requestWireForm(request.message, request.body),
      rawResponse: responseWireForm(status, received.message, received.body, method),
    })
  }
  const finish = (bytes: Uint8Array) => {
    const sent = context.detail?.bytes() ?? noBytes
    if (services.settings.keepsCredentials || !(isCoded(requestHeaders, sent) || isCoded(headers, bytes))) {
      write({ headers: requestHeaders, body: sent }, { headers, body: bytes })
      return
    }
    const bodies = [readable(requestHeaders, sent, limit, services), readable(headers, bytes, limit, services)] as const
    void Promise.all(bodies).then(([question, found]) => write(question, found))
  }
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    finish(beginningOf(body, limit))
    return
  }
  const capture: DetailCapture = new DetailCapture(body, limit, () => finish(capture.bytes()))
  response.body = capture
}

function beginningOf(body: string | Uint8Array | undefined, limit: number): Uint8Array {
  if (body === undefined) return noBytes
  const bytes = typeof body === 'string' ? utf8Bytes(body.length > limit ? body.slice(0, limit) : body) : body
  return bytes.length > limit ? bytes.slice(0, limit) : bytes
}
