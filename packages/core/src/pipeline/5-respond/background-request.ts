/** A copy of a request that the gateway sends to the upstream although no client waits for the response. */
import { type GatewayRequest, httpVersionOf } from '../../http/messages.ts'
import type { Millis } from '../../ports/clock.ts'
import { RequestContext } from '../contract/request-context.ts'

/** The request as the stages up to the cache left it, as a GET request without a trace. */
export function makeBackgroundRequest(context: RequestContext, now: Millis): RequestContext {
  const { outgoing } = context
  const request = withoutClient(context.request)
  const copy = new RequestContext(
    request,
    context.api,
    context.version,
    context.path,
    context.pathWithVersion,
    outgoing.path,
    now,
    undefined,
  )
  copy.defaultVersion = context.defaultVersion
  copy.org = context.org
  copy.ignored = context.ignored
  copy.key = context.key
  copy.isClientToken = context.isClientToken
  copy.credential = context.credential
  copy.access = context.access
  copy.variables = context.variables
  copy.loopLevel = context.loopLevel
  copy.skipsLimits = context.skipsLimits
  copy.isRewritten = context.isRewritten
  copy.requestUri = context.requestUri
  copy.clientAddress = context.clientAddress
  copy.span = context.span
  copy.outgoing.query = outgoing.query
  copy.outgoing.headers = outgoing.headers.slice()
  copy.outgoing.target = outgoing.target
  copy.outgoing.addForwardedFor = outgoing.addForwardedFor
  copy.outgoing.timeoutMs = outgoing.timeoutMs
  return copy
}

/** Field by field, because some front ends have getters. A disconnect of the client must not cancel the copy. */
function withoutClient(request: GatewayRequest): GatewayRequest {
  return {
    method: 'GET',
    path: request.path,
    query: request.query,
    headers: request.headers,
    remoteAddress: request.remoteAddress,
    remotePort: request.remotePort,
    httpVersion: httpVersionOf(request),
    secure: request.secure,
    clientCertificate: request.clientCertificate,
    body: undefined,
    bodyLength: 0,
    onAbort() {},
  }
}
