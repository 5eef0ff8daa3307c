/**
 * Asks the upstream and hands its answer on. Source: spec/apis-and-pipeline.md 4.7, 4.10.
 *
 * Which headers pass, what the gateway adds and how faults are told is decided here, in core; how bytes get there and
 * back is the adapter's matter.
 */
import { type Rejection, rejections } from '../../errors.ts'
import type { Answer, HeaderPairs } from '../../http.ts'
import type { Maybe } from '../../maybe.ts'
import { speaksMcp } from '../../mcp/primitive.ts'
import type { Clock } from '../../ports/clock.ts'
import type { UpstreamAnswer, UpstreamFault } from '../../ports/upstream.ts'
import type { GatewaySettings } from '../../settings.ts'
import { vendorForms } from '../../vendor.ts'
import type { RequestContext } from '../context.ts'
import type { MakeStage, Outcome, Scope, Stage } from '../stage.ts'
import { pathForUpstream, type Target } from './target.ts'
import { makeElsewhere, makePicker, singleTarget, whyNoTarget } from './targets.ts'
import { copyRequestHeaders, type HeaderPlan, passedAnswerHeaders } from './upstream-headers.ts'

/** What does not depend on the API, or only on parts in which nearly all are equal: one object for all of those. */
interface Plan {
  readonly headers: HeaderPlan
  readonly timeoutMs: number
  readonly mayUpgrade: boolean
}

const plans = new WeakMap<GatewaySettings, Map<string, Plan>>()

export const makeForward: MakeStage = (scope) => {
  const single = singleTarget(scope)
  const pick = single === undefined ? makePicker(scope) : undefined
  return new Forward(scope, planOf(scope), single, pick, makeElsewhere(scope))
}

function planOf({ api, tools }: Scope): Plan {
  const { settings } = tools
  const { timeoutMs, closeConnections, upgrades = true } = settings.upstream
  const { preserveHostHeader } = api.document.proxy
  // What passes through a tunnel cannot be looked at, and MCP over HTTP needs none.
  const mayUpgrade = upgrades && !speaksMcp(api.document)
  const known = plans.get(settings) ?? new Map<string, Plan>()
  plans.set(settings, known)
  const name = `${preserveHostHeader} ${mayUpgrade}`
  const plan = known.get(name) ?? {
    headers: {
      userAgent: `${vendorForms(settings.vendor).title}/${settings.versionText}`,
      preserveHost: preserveHostHeader,
      closes: closeConnections,
    },
    timeoutMs,
    mayUpgrade,
  }
  known.set(name, plan)
  return plan
}

/** A class: what a request needs of the API lies in one object; see docs/decisions/0006. */
class Forward implements Stage {
  readonly name = 'forward'
  readonly phase: '5-answer' = '5-answer'
  private readonly plan: Plan
  private readonly single: Target | undefined
  private readonly pick: (() => Target | undefined) | undefined
  private readonly elsewhere: (origin: string) => Target | undefined
  private readonly clock: Clock
  private readonly scope: Scope

  constructor(
    scope: Scope,
    plan: Plan,
    single: Target | undefined,
    pick: (() => Target | undefined) | undefined,
    elsewhere: (origin: string) => Target | undefined,
  ) {
    this.scope = scope
    this.clock = scope.tools.clock
    this.plan = plan
    this.single = single
    this.pick = pick
    this.elsewhere = elsewhere
  }

  run(context: RequestContext): Maybe<Outcome> {
    const { outgoing, request, trace } = context
    const { clock } = this
    const { headers: headerPlan, timeoutMs, mayUpgrade } = this.plan
    const target = outgoing.target === undefined ? (this.single ?? this.pick?.()) : this.elsewhere(outgoing.target)
    if (target === undefined) {
      context.settleBreaker?.('unknown')
      return outgoing.target === undefined ? whyNoTarget(this.scope) : rejections.upstreamBroken
    }
    const path = pathForUpstream(target, outgoing.path, outgoing.query)
    if (trace?.dry) {
      trace.note(`would ask ${target.host} for ${outgoing.method} ${path}`)
      return { status: 200, headers: [], body: '' }
    }
    const headers: HeaderPairs = []
    const asksGzip = copyRequestHeaders(context, target.host, headerPlan, headers)
    context.upstreamAddress = target.host
    const { body } = outgoing
    const askedAt = clock.now()
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
        context.upstreamMs = clock.now() - askedAt
        trace?.note(`asked ${target.host} for ${outgoing.method} ${path}`)
        if (context.settleBreaker !== undefined) tellBreaker(context, result)
        return result.kind === 'answer' ? toAnswer(result) : toRejection(result, this.scope)
      })
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
