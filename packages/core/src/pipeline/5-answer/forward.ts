/**
 * Asks the upstream and hands its answer on. Source: spec/apis-and-pipeline.md 4.7, 4.10.
 *
 * Which headers pass, what the gateway adds and how faults are told is decided here, in core; how bytes get there and
 * back is the adapter's matter.
 */
import { type Rejection, rejections } from '../../errors.ts'
import type { Answer, HeaderPairs } from '../../http.ts'
import { speaksMcp } from '../../mcp/primitive.ts'
import type { UpstreamAnswer, UpstreamFault } from '../../ports/upstream.ts'
import { vendorForms } from '../../vendor.ts'
import type { RequestContext } from '../context.ts'
import type { MakeStage, Scope } from '../stage.ts'
import { pathForUpstream } from './target.ts'
import { makeElsewhere, makePicker, whyNoTarget } from './targets.ts'
import { copyRequestHeaders, type HeaderPlan, passedAnswerHeaders } from './upstream-headers.ts'

export const makeForward: MakeStage = (scope) => {
  const { api, tools } = scope
  const { timeoutMs, closeConnections, upgrades = true } = tools.settings.upstream
  // What passes through a tunnel cannot be looked at, and MCP over HTTP needs none.
  const mayUpgrade = upgrades && !speaksMcp(api.document)
  const pick = makePicker(scope)
  const noTarget = whyNoTarget(scope)
  const elsewhere = makeElsewhere(scope)
  const plan: HeaderPlan = {
    userAgent: `${vendorForms(tools.settings.vendor).title}/${tools.settings.versionText}`,
    preserveHost: api.document.proxy.preserveHostHeader,
    closes: closeConnections,
  }

  return {
    name: 'forward',
    phase: '5-answer',
    run(context) {
      const { outgoing, request, trace } = context
      const target = outgoing.target === undefined ? pick() : elsewhere(outgoing.target)
      if (target === undefined) {
        context.settleBreaker?.('unknown')
        return outgoing.target === undefined ? noTarget : rejections.upstreamBroken
      }
      const path = pathForUpstream(target, outgoing.path, outgoing.query)
      if (trace?.dry) {
        trace.note(`would ask ${target.host} for ${outgoing.method} ${path}`)
        return { status: 200, headers: [], body: '' }
      }
      const headers: HeaderPairs = []
      const asksGzip = copyRequestHeaders(context, target.host, plan, headers)
      context.upstreamAddress = target.host
      const { body } = outgoing
      const askedAt = tools.clock.now()
      return target.link
        .send({
          method: outgoing.method,
          path,
          headers,
          body: body ?? outgoing.stream,
          bodyLength: body === undefined ? request.bodyLength : body.length,
          timeoutMs: outgoing.timeoutMs ?? timeoutMs,
          unpack: asksGzip,
          upgrade: mayUpgrade ? request.upgrade : undefined,
          onStart: (cancel) => request.onAbort(cancel),
        })
        .then((result) => {
          request.onAbort(undefined)
          context.upstreamMs = tools.clock.now() - askedAt
          trace?.note(`asked ${target.host} for ${outgoing.method} ${path}`)
          if (context.settleBreaker !== undefined) tellBreaker(context, result)
          return result.kind === 'answer' ? toAnswer(result) : toRejection(result, scope)
        })
    },
  }
}

/** A client that went away says nothing about the upstream. */
function tellBreaker({ settleBreaker }: RequestContext, result: UpstreamAnswer | UpstreamFault): void {
  if (result.kind === 'answer') settleBreaker?.(result.status >= 500 ? 'bad' : 'good')
  else settleBreaker?.(result.reason === 'cancelled' ? 'unknown' : 'bad')
}

function toAnswer({ status, headers, body, bodyLength, tunnel }: UpstreamAnswer): Answer {
  const answer: Answer = { status, headers: passedAnswerHeaders(headers), body, bodyLength }
  if (tunnel !== undefined) answer.tunnel = tunnel
  return answer
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
