/**
 * Calls the upstream and returns its response (docs/reference/upstreams.md#upstream-errors). Core decides which headers
 * pass, which the gateway adds and how network errors are reported; the upstream adapter transfers the bytes. If the
 * client disconnects, or the front end rejects the rest of the request, before the response begins, the call is
 * cancelled. After the response has begun, the front end cancels the response's body instead. An upgrade, such as a
 * WebSocket, is passed on as `upgrade`: `undici/undici-call.ts` opens the tunnel, and
 * `front-end-common/open-tunnel.ts` or `front-end-uws/web-socket-tunnel.ts` connects the client to it.
 */
import { speaksMcp } from '../../definition/mcp/primitive.ts'
import type { HeaderPairs } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { vendorForms } from '../../lib/vendor.ts'
import type { CallSpan } from '../../ports/call-span.ts'
import type { Log } from '../../ports/log.ts'
import type { ConnectionFailure, UpstreamError, UpstreamResponse } from '../../ports/upstream.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, Stage } from '../contract/stage.ts'
import type { Target } from '../contract/target.ts'
import { makePicker, makeRewrittenTargets, noTargetRejection } from '../shared/pick-target.ts'
import { pathForUpstream } from '../shared/upstream-target.ts'
import {
  copyRequestHeaders,
  type HeaderPlan,
  interimHeadersForClient,
  responseHeadersForClient,
} from './upstream-headers.ts'

/** The returned function is the `run` of a stage. */
export function makeUpstreamCall(compileContext: CompileContext): Stage['run'] {
  const { clock, log, discovery, settings } = compileContext.services
  const escapes = settings.routing.skipTargetPathEscaping !== true
  const { timeoutMs, headers: headerPlan, mayUpgrade } = planOf(compileContext)
  const pick = makePicker(compileContext)
  const findRewrittenTarget = makeRewrittenTargets(compileContext)
  return (context) => {
    const { outgoing, request, trace } = context
    const target = outgoing.target === undefined ? (context.target ?? pick()) : findRewrittenTarget(outgoing.target)
    if (target === undefined) {
      context.settleBreaker?.('unknown')
      return outgoing.target === undefined ? noTargetRejection(context) : rejections.upstreamBroken
    }
    const path = upstreamPathOf(context, target, escapes)
    if (trace?.dry) {
      trace.note(`would send ${outgoing.method} ${path} to ${target.host}`)
      return { status: 200, headers: [], body: '' }
    }
    const headers: HeaderPairs = []
    const addedGzip = copyRequestHeaders(context, target.host, headerPlan, headers)
    context.upstreamAddress = target.host
    context.upstreamOrigin = target.origin
    context.upstreamPath = path
    const call = context.span?.startCall(
      { method: outgoing.method, origin: target.origin, host: target.host, path },
      headers,
    )
    const body = outgoing.body ?? shortBodyOf(context)
    const askedAt = clock.now()
    return target.link
      .send({
        method: outgoing.method,
        path,
        headers,
        body: body ?? outgoing.stream,
        bodyLength: body === undefined ? request.bodyLength : body.length,
        timeoutMs: outgoing.timeoutMs ?? timeoutMs,
        unpack: addedGzip,
        upgrade: mayUpgrade ? request.upgrade : undefined,
        onStart: (cancel) => request.onAbort(cancel),
        onInterim:
          request.sendInterim === undefined
            ? undefined
            : (status, given) => request.sendInterim?.(status, interimHeadersForClient(given)),
      })
      .then((result) => {
        request.onAbort(undefined)
        context.upstreamMs = clock.now() - askedAt
        if (call !== undefined) endCall(call, result)
        trace?.note(`asked ${target.host} for ${outgoing.method} ${path}`)
        if (context.settleBreaker !== undefined) reportToBreaker(context, result)
        if (result.kind === 'response') {
          context.upstreamStatus = result.status
          if (context.cachePlan?.kind === 'configured') context.cachePlan.noteUpstream(result.headers)
          return toResponse(result, settings.upstream.sandboxesPages === true)
        }
        if (result.reason === 'timeout') discovery?.forget(context.api.id)
        context.expiredCertificate = result.certificate
        return logAndReject(result, context, log)
      })
  }
}

/**
 * Returns a body that arrived with its head, so that the upstream gets both in one write. A chunked body stays a stream,
 * because the upstream gets it chunked.
 */
function shortBodyOf({ outgoing: { stream }, request }: RequestContext): Uint8Array | undefined {
  return request.bodyLength === undefined ? undefined : stream?.takeBytes?.()
}

/** An empty query stays (`/x?`), unless a rewrite made a URL of its own. */
function upstreamPathOf({ outgoing, request, isRewritten }: RequestContext, target: Target, escapes: boolean): string {
  const path = pathForUpstream(target, outgoing.path, outgoing.query, escapes)
  return request.hasEmptyQuery && !isRewritten && !path.includes('?') ? `${path}?` : path
}

interface Plan {
  readonly headers: HeaderPlan
  readonly timeoutMs: number
  readonly mayUpgrade: boolean
}

function planOf({ api, services: { settings } }: CompileContext): Plan {
  const { timeoutMs, closeConnections, upgrades = true } = settings.upstream
  return {
    headers: {
      userAgent: `${vendorForms(settings.vendor).title}/${settings.versionText}`,
      preserveHost: api.document.proxy.preserveHostHeader,
      ownCookies: settings.upstream.ownCookies ?? [],
      closes: closeConnections,
    },
    timeoutMs,
    // The gateway cannot inspect what passes through a tunnel, and MCP over HTTP needs none.
    mayUpgrade: upgrades && !speaksMcp(api.document),
  }
}

function endCall(call: CallSpan, result: UpstreamResponse | UpstreamError): void {
  if (result.kind === 'response') call.end(result.status, undefined)
  else call.end(0, result.detail ?? result.reason)
}

/** A client disconnect says nothing about the upstream. */
function reportToBreaker({ settleBreaker }: RequestContext, result: UpstreamResponse | UpstreamError): void {
  if (result.kind === 'response') settleBreaker?.(result.status >= 500 ? 'bad' : 'good')
  else settleBreaker?.(result.reason === 'cancelled' ? 'unknown' : 'bad')
}

function toResponse(
  { status, headers, body, bodyLength, tunnel }: UpstreamResponse,
  sandboxesPages: boolean,
): GatewayResponse {
  const response: GatewayResponse = {
    status,
    headers: responseHeadersForClient(headers, sandboxesPages),
    body,
    bodyLength,
  }
  if (tunnel !== undefined) response.tunnel = tunnel
  return response
}

const byFailure: Readonly<Record<ConnectionFailure, Rejection>> = {
  'connect-timeout': rejections.upstreamConnectTimeout,
  reset: rejections.upstreamReset,
  unreachable: rejections.upstreamUnreachable,
  'tls-expired': rejections.upstreamTlsExpired,
  'tls-invalid': rejections.upstreamTlsInvalid,
  'tls-name': rejections.upstreamTlsName,
  'tls-authority': rejections.upstreamTlsAuthority,
  'tls-handshake': rejections.upstreamTlsHandshake,
}

/** The front ends log this outage of the whole process once, so that not every request adds a line. */
function isOutOfDescriptors(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'EMFILE' || cause.code === 'ENFILE')
}

function logAndReject(error: UpstreamError, { api }: RequestContext, log: Log): Rejection {
  if (error.reason !== 'cancelled' && !isOutOfDescriptors(error.cause)) {
    log.warn('no response from the upstream', { api: api.id, reason: error.reason, cause: String(error.cause) })
  }
  if (error.detail !== undefined) return byFailure[error.detail]
  switch (error.reason) {
    case 'refused':
      return rejections.upstreamRefused
    case 'unknown-host':
      return rejections.upstreamUnknownHost
    case 'timeout':
      return rejections.upstreamTimeout
    case 'cancelled':
      return rejections.clientGone
    default:
      return rejections.upstreamBroken
  }
}
