/**
 * One analytics record for each request that reached the API, unless nobody may or wants to track it.
 * Source: spec/config-and-ops.md 4.
 *
 * A record goes on at once, but for detailed ones of streamed answers: those wait for the end of the answer.
 */

import { headerOf } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { isPromise } from '../../lib/maybe.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { Analytics } from '../../observability/analytics/analytics.ts'
import { DetailCapture } from '../../observability/analytics/detail-capture.ts'
import { requestWireForm, responseWireForm } from '../../observability/analytics/wire-form.ts'
import type { AnalyticsRecord } from '../../ports/analytics-record.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeRecordStage } from '../contract/stage.ts'
import { clientAddressOf } from '../shared/client-address.ts'
import { compilePathRules } from '../shared/match-path-rules.ts'
import { makeBuildRecord } from './build-record.ts'
import { mayWantDetail, wantsDetail } from './wants-detail.ts'

export const makeAnalytics: MakeRecordStage = (compileContext) => {
  const { api, version, services } = compileContext
  const { analytics } = services
  if (analytics === undefined || api.document.doNotTrack) return null
  const { settings } = analytics
  const build = makeBuildRecord(compileContext, settings)
  const untracked = compilePathRules(version.paths.doNotTrackEndpoints, compileContext, () => true)
  const { xffDepth } = services.settings.routing
  const detail = mayWantDetail(compileContext)

  const write = (context: RequestContext, answer: GatewayResponse) => {
    const record = build(context, answer)
    if (detail && wantsDetail(context, settings) && !isStreaming(answer))
      writeDetailed(record, context, answer, analytics)
    else analytics.write(record)
  }
  const withOrg = settings.orgDataAge || settings.orgDetail ? makeWithOrg(compileContext, write) : write

  return {
    name: 'analytics',
    phase: '7-record',
    run(context, answer) {
      if (context.trace !== undefined || untracked?.(context)) return
      const { ignoredAddresses } = settings
      if (ignoredAddresses.size > 0 && ignoredAddresses.has(clientAddressOf(context, xffDepth))) return
      withOrg(context, answer)
    },
  }
}

/** Looks the organisation up where no limit of its own did. */
function makeWithOrg(
  { api, services }: CompileContext,
  write: (context: RequestContext, answer: GatewayResponse) => void,
) {
  return (context: RequestContext, answer: GatewayResponse): void => {
    if (context.org !== undefined || api.orgId === '') {
      write(context, answer)
      return
    }
    const found = services.orgs.find(api.orgId)
    if (!isPromise(found)) {
      context.org = found
      write(context, answer)
      return
    }
    // The answer is on its way before the organisation is known, so its body is not looked at any more.
    const head: GatewayResponse = { status: answer.status, headers: answer.headers, body: undefined }
    found.then(
      (org) => {
        context.org = org
        write(context, head)
      },
      () => write(context, head),
    )
  }
}

/** Events that never end, and connections that became something else. */
function isStreaming(answer: GatewayResponse): boolean {
  return answer.tunnel !== undefined || (headerOf(answer.headers, 'content-type') ?? '').startsWith('text/event-stream')
}

function writeDetailed(
  record: AnalyticsRecord,
  context: RequestContext,
  answer: GatewayResponse,
  analytics: Analytics,
): void {
  const { status, body } = answer
  const headers = answer.headers.slice()
  const limit = analytics.settings.detailBytes
  const write = (bytes: Uint8Array) =>
    analytics.write({
      ...record,
      rawRequest: requestWireForm(context.request, context.detail?.bytes()),
      rawResponse: responseWireForm(status, headers, bytes),
    })
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    write(beginningOf(body, limit))
    return
  }
  const capture: DetailCapture = new DetailCapture(body, limit, () => write(capture.bytes()))
  answer.body = capture
}

function beginningOf(body: string | Uint8Array | undefined, limit: number): Uint8Array {
  if (body === undefined) return new Uint8Array(0)
  const bytes = typeof body === 'string' ? utf8Bytes(body.length > limit ? body.slice(0, limit) : body) : body
  return bytes.length > limit ? bytes.slice(0, limit) : bytes
}
