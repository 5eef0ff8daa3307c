/**
 * Asks the upstream and hands its answer on. Source: spec/apis-and-pipeline.md 4.7, 4.10.
 *
 * Which headers pass, what the gateway adds and how faults are told is decided here, in core; how bytes get there and
 * back is the adapter's matter.
 */
import type { ApiVersion } from '../../definition/api-definition.ts'
import { speaksMcp } from '../../definition/mcp/primitive.ts'
import { type Rejection, rejections } from '../../http/errors.ts'
import type { HeaderPairs } from '../../http/headers.ts'
import type { Answer } from '../../http/http.ts'
import type { Maybe } from '../../lib/maybe.ts'
import { vendorForms } from '../../lib/vendor.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { UpstreamAnswer, UpstreamFault } from '../../ports/upstream.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage, Outcome, Scope, Stage } from '../contract/stage.ts'
import type { Tools } from '../contract/tools.ts'
import { makeElsewhere, makePicker, singleTarget, whyNoTarget } from '../shared/pick-target.ts'
import { pathForUpstream, type Target } from '../shared/upstream-target.ts'
import { copyRequestHeaders, type HeaderPlan, passedAnswerHeaders } from './upstream-headers.ts'

/** What does not depend on the API, or only on parts in which nearly all are equal: one object for all of those. */
interface Plan {
  readonly headers: HeaderPlan
  readonly timeoutMs: number
  readonly mayUpgrade: boolean
}

const plans = new WeakMap<GatewaySettings, Map<string, Plan>>()

export const makeForward: MakeStage = (scope) => {
  const { tools, version } = scope
  const plan = planOf(scope)
  const single = singleTarget(scope)
  const known = single && forwards.get(single)
  const pick = single === undefined ? makePicker(scope) : undefined
  const stage = known?.isFor(plan, tools) === true ? known : new Forward(plan, tools, single, pick)
  if (single !== undefined) forwards.set(single, stage)
  stage.addElsewhere(version, makeElsewhere(scope))
  return stage
}

/** APIs that go to one target by one plan have one stage. */
const forwards = new WeakMap<Target, Forward>()

type FindElsewhere = (origin: string) => Target | undefined

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
  private readonly clock: Clock
  private readonly log: Log
  /** Of each version that it forwards for: targets that rewrites name. */
  private readonly elsewhere = new WeakMap<ApiVersion, FindElsewhere>()

  constructor(
    plan: Plan,
    { clock, log }: Pick<Tools, 'clock' | 'log'>,
    single: Target | undefined,
    pick: (() => Target | undefined) | undefined,
  ) {
    this.clock = clock
    this.log = log
    this.plan = plan
    this.single = single
    this.pick = pick
  }

  isFor(plan: Plan, { clock, log }: Pick<Tools, 'clock' | 'log'>): boolean {
    return this.plan === plan && this.clock === clock && this.log === log
  }

  addElsewhere(version: ApiVersion, find: FindElsewhere): void {
    this.elsewhere.set(version, find)
  }

  run(context: RequestContext): Maybe<Outcome> {
    const { outgoing, request, trace } = context
    const { clock } = this
    const { headers: headerPlan, timeoutMs, mayUpgrade } = this.plan
    const target =
      outgoing.target === undefined
        ? (this.single ?? this.pick?.())
        : this.elsewhere.get(context.version)?.(outgoing.target)
    if (target === undefined) {
      context.settleBreaker?.('unknown')
      return outgoing.target === undefined ? whyNoTarget(context) : rejections.upstreamBroken
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
        return result.kind === 'answer' ? toAnswer(result) : toRejection(result, context, this.log)
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

function toRejection(fault: UpstreamFault, { api }: RequestContext, log: Log): Rejection {
  if (fault.reason !== 'cancelled') {
    log.warn('the upstream did not answer', { api: api.id, reason: fault.reason, cause: String(fault.cause) })
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
