/**
 * Asks the upstream and hands its answer on. Source: spec/apis-and-pipeline.md 4.7, 4.10.
 *
 * Which headers pass, what the gateway adds and how faults are told is decided here, in core; how bytes get there and
 * back is the adapter's matter.
 */
import { type Rejection, rejections } from '../../errors.ts'
import type { Answer, HeaderPairs } from '../../http.ts'
import type { UpstreamAnswer, UpstreamFault } from '../../ports/upstream.ts'
import { vendorForms } from '../../vendor.ts'
import type { RequestContext } from '../context.ts'
import type { MakeStage, Scope } from '../stage.ts'
import { isHopByHop, namedInConnection } from './hop-by-hop.ts'
import { makeTarget, pathForUpstream, type Target } from './target.ts'

export const makeForward: MakeStage = (scope) => {
  const { api, tools } = scope
  const pick = makePicker(scope)
  const { timeoutMs } = tools.settings.upstream
  const userAgent = `${vendorForms(tools.settings.vendor).title}/${tools.settings.versionText}`
  const preserveHost = api.document.proxy.preserveHostHeader
  const elsewhere = makeElsewhere(scope)

  return {
    name: 'forward',
    phase: '5-answer',
    run(context) {
      const { outgoing, request, trace } = context
      const target = outgoing.target === undefined ? pick() : elsewhere(outgoing.target)
      if (target === undefined) return rejections.upstreamBroken
      const path = pathForUpstream(target, outgoing.path, outgoing.query)
      if (trace?.dry) {
        trace.note(`would ask ${target.host} for ${outgoing.method} ${path}`)
        return { status: 200, headers: [], body: '' }
      }
      const headers: HeaderPairs = []
      const asksGzip = copyRequestHeaders(context, target.host, preserveHost, userAgent, headers)
      context.upstreamAddress = target.host
      const { body } = outgoing
      return target.link
        .send({
          method: outgoing.method,
          path,
          headers,
          body: body ?? request.body,
          bodyLength: body === undefined ? request.bodyLength : body.length,
          timeoutMs: outgoing.timeoutMs ?? timeoutMs,
          unpack: asksGzip,
          onStart: (cancel) => request.onAbort(cancel),
        })
        .then((result) => {
          request.onAbort(undefined)
          context.upstreamMs = tools.clock.now() - context.startedAt
          trace?.note(`asked ${target.host} for ${outgoing.method} ${path}`)
          return result.kind === 'answer' ? toAnswer(result) : toRejection(result, scope)
        })
    },
  }
}

/** Target of the version or the API, or round robin over the list, starting with the first. */
function makePicker(scope: Scope): () => Target | undefined {
  const { proxy } = scope.api.document
  if (scope.version.overrideTarget === '' && proxy.enableLoadBalancing) {
    const targets = (proxy.targetList ?? [])
      .map((url) => makeTarget(url, scope))
      .filter((target) => target !== undefined)
    let next = 0
    return () => {
      const target = targets[next]
      next = next + 1 >= targets.length ? 0 : next + 1
      return target
    }
  }
  const target = makeTarget(scope.version.overrideTarget || proxy.targetUrl, scope)
  return () => target
}

/** Targets that rewriting names at run time; remembered, since each holds a share of a pool. */
function makeElsewhere(scope: Scope): (origin: string) => Target | undefined {
  const known = new Map<string, Target | undefined>()
  return (origin) => {
    if (!known.has(origin)) known.set(origin, makeTarget(origin, scope))
    return known.get(origin)
  }
}

/**
 * Headers as the upstream gets them. Returns whether the gateway asked for gzip on its own account, so that it has to
 * unpack the answer: not for HEAD and not for ranges, whose bytes must be the client's.
 */
function copyRequestHeaders(
  { outgoing, request }: RequestContext,
  host: string,
  preserveHost: boolean,
  userAgent: string,
  to: HeaderPairs,
): boolean {
  const from = outgoing.headers
  const named = namedInConnection(from)
  let clientHost = ''
  let forwardedFor = ''
  let hasAgent = false
  let hasEncoding = false
  for (let i = 0; i < from.length; i += 2) {
    const name = from[i] as string
    const value = from[i + 1] as string
    switch (name) {
      case 'host':
        clientHost = value
        continue
      case 'content-length':
      case 'expect':
        continue
      case 'x-forwarded-for':
        forwardedFor = forwardedFor === '' ? value : `${forwardedFor}, ${value}`
        continue
      case 'te':
        if (value === 'trailers') to.push(name, value)
        continue
      case 'user-agent':
        hasAgent = true
        break
      case 'accept-encoding':
      case 'range':
        hasEncoding = true
        break
    }
    if (isHopByHop(name) || named?.has(name)) continue
    to.push(name, value)
  }
  to.push('host', preserveHost && clientHost !== '' ? clientHost : host)
  if (outgoing.addForwardedFor) {
    to.push(
      'x-forwarded-for',
      forwardedFor === '' ? request.remoteAddress : `${forwardedFor}, ${request.remoteAddress}`,
    )
  }
  if (!hasAgent) to.push('user-agent', userAgent)
  if (hasEncoding || outgoing.method === 'HEAD') return false
  to.push('accept-encoding', 'gzip')
  return true
}

function toAnswer(from: UpstreamAnswer): Answer {
  const given = from.headers
  const headers: HeaderPairs = []
  const named = namedInConnection(given)
  for (let i = 0; i < given.length; i += 2) {
    const name = given[i] as string
    if (name === 'content-length' || isHopByHop(name) || named?.has(name)) continue
    headers.push(name, given[i + 1] as string)
  }
  return { status: from.status, headers, body: from.body, bodyLength: from.bodyLength }
}

function toRejection(fault: UpstreamFault, { api, tools }: Scope): Rejection {
  if (fault.reason !== 'cancelled') {
    tools.log.warn('the upstream did not answer', { api: api.id, reason: fault.reason, cause: String(fault.cause) })
  }
  switch (fault.reason) {
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
