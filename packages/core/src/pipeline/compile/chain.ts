/**
 * Builds the chain of one version of one API, once, and runs it for each request.
 *
 * Synchronous stages run in a plain loop. Only where a stage returns a promise does the rest of the way become
 * asynchronous, from that stage on. Rejections and thrown errors become responses here and nowhere else.
 */

import { speaksMcp } from '../../definition/mcp/primitive.ts'
import { type Rejection, rejections } from '../../http/errors.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { isPromise, type Maybe, when } from '../../lib/maybe.ts'
import { StoreAway } from '../../ports/store.ts'
import { addRateHeaders } from '../6-shape-response/rate-limit-headers.ts'
import type { Phase } from '../contract/phase.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, Outcome, RecordStage, ResponseStage, Stage } from '../contract/stage.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { type StageOrder, stageOrder } from '../order.ts'
import { addLoginHint } from '../shared/login-hint.ts'

export interface Chain {
  readonly stages: readonly Stage[]
  readonly responses: readonly ResponseStage[]
  /** Index in `responses` at which responses from the cache continue: behind the stage with `resumesCached`. */
  readonly afterCache?: number
  readonly records: readonly RecordStage[]
  readonly services: ChainServices
}

/** What running a chain needs, which is the same for all chains of a gateway. */
type ChainServices = Pick<StageServices, 'errors' | 'settings' | 'log'>

/** The stages that this version of this API needs, in the order of `order.ts`. */
export function makeChain(compileContext: CompileContext, order: StageOrder = stageOrder): Chain {
  const responses = needed(order.responses, compileContext)
  const { errors, settings, log } = compileContext.services
  return {
    stages: needed(order.stages, compileContext),
    responses,
    afterCache: responses.findIndex((stage) => stage.resumesCached) + 1,
    records: needed(order.records, compileContext),
    services: { errors, settings, log },
  }
}

function needed<S>(
  makers: readonly ((compileContext: CompileContext) => S | null)[],
  compileContext: CompileContext,
): S[] {
  return makers.map((make) => make(compileContext)).filter((stage) => stage !== null)
}

/** Runs a request through the chain. Never throws, never rejects. */
export function runChain(chain: Chain, context: RequestContext): Maybe<GatewayResponse> {
  if (context.trace !== undefined) return runTraced(chain, context)
  return runFrom(chain, context, 0)
}

function runFrom(chain: Chain, context: RequestContext, start: number): Maybe<GatewayResponse> {
  const { stages } = chain
  for (let i = start; i < stages.length; i++) {
    const stage = stages[i] as Stage
    let outcome: Maybe<Outcome>
    try {
      outcome = stage.run(context)
    } catch (cause) {
      if (passesWithoutStore(chain, context, stage, cause)) continue
      return refuse(chain, context, stage, rejectionOfError(chain, stage, cause))
    }
    if (outcome === undefined) continue
    if (isPromise(outcome)) return continueAsync(chain, context, i, outcome)
    return end(chain, context, stage, outcome)
  }
  return refuse(chain, context, undefined, rejections.internalError)
}

// By `then`, not `await`: one promise for the rest of the way instead of three.
function continueAsync(
  chain: Chain,
  context: RequestContext,
  at: number,
  pending: Promise<Outcome>,
): Promise<GatewayResponse> {
  const stage = chain.stages[at] as Stage
  return pending.then(
    (outcome) => (outcome === undefined ? runFrom(chain, context, at + 1) : end(chain, context, stage, outcome)),
    (cause: unknown) =>
      passesWithoutStore(chain, context, stage, cause)
        ? runFrom(chain, context, at + 1)
        : refuse(chain, context, stage, rejectionOfError(chain, stage, cause)),
  )
}

/**
 * Whether a request goes on where a stage could not ask the store: past the cache always, and past whose it is and
 * whether it may where nobody need show a key, or where the operator wants it so.
 */
function passesWithoutStore(chain: Chain, context: RequestContext, stage: Stage, cause: unknown): boolean {
  if (!(cause instanceof StoreAway)) return false
  if (stage.phase === '5-answer') return true
  return chain.services.settings.storageOutage === 'allow' || context.api.authModes.length === 0
}

function end(
  chain: Chain,
  context: RequestContext,
  stage: Stage,
  outcome: GatewayResponse | Rejection,
): Maybe<GatewayResponse> {
  if ('kind' in outcome) {
    const instead = context.rescue?.(outcome)
    return instead === undefined ? refuse(chain, context, stage, outcome) : shape(chain, context, instead, 0)
  }
  if (context.handledByLoop) return outcome
  if (stage.phase !== '5-answer') return settle(chain, context, outcome)
  return shape(chain, context, outcome, context.shaped ? (chain.afterCache ?? 0) : 0)
}

/** The answer's way back. */
function shape(chain: Chain, context: RequestContext, answer: GatewayResponse, start: number): Maybe<GatewayResponse> {
  const { responses } = chain
  for (let i = start; i < responses.length; i++) {
    const stage = responses[i] as ResponseStage
    let next: Maybe<GatewayResponse>
    try {
      next = stage.run(context, answer)
    } catch (cause) {
      return refuse(chain, context, stage, rejectionOfError(chain, stage, cause))
    }
    if (isPromise(next)) {
      return next.then(
        (made) => shape(chain, context, made, i + 1),
        (cause: unknown) => refuse(chain, context, stage, rejectionOfError(chain, stage, cause)),
      )
    }
    answer = next
  }
  return settle(chain, context, answer)
}

function refuse(
  chain: Chain,
  context: RequestContext,
  stage: { readonly name: string; readonly phase: Phase } | undefined,
  rejection: Rejection,
): GatewayResponse {
  context.rejection = rejection
  context.rejectedBy = stage?.name
  context.rejectedIn = stage?.phase
  const { errors } = chain.services
  const { mcp } = context
  const answer = mcp === undefined ? errors.render(rejection, context.request) : errors.renderRpc(rejection, mcp.idJson)
  const asksKey = stage?.phase === '2-identify' || answer.status === 401
  if (asksKey && speaksMcp(context.api.document)) addLoginHint(context, answer, chain.services.settings.vendor)
  addRateHeaders(context, answer, chain.services.settings.headers)
  return settle(chain, context, answer)
}

function settle(chain: Chain, context: RequestContext, answer: GatewayResponse): GatewayResponse {
  if (context.extraHeaders !== undefined) answer.headers.push(...context.extraHeaders)
  for (const record of chain.records) {
    try {
      record.run(context, answer)
    } catch (cause) {
      chain.services.log.error('a record stage failed', { stage: record.name, cause: String(cause) })
    }
  }
  return answer
}

function rejectionOfError(chain: Chain, stage: { readonly name: string }, cause: unknown): Rejection {
  // No line a request: the store says itself when it goes and when it is back.
  if (cause instanceof StoreAway) return rejections.storeUnavailable
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
  chain.services.log.error('a stage failed', { stage: stage.name, cause: text })
  return rejections.internalError
}

/** The same way with notes, for `turnpike explain`. Kept apart so that ordinary requests pay nothing for it. */
function runTraced(chain: Chain, context: RequestContext): Maybe<GatewayResponse> {
  const { trace } = context
  const noted = <S extends { readonly name: string; readonly phase: string }, T>(
    stage: S,
    run: () => Maybe<T>,
    tell: (result: T) => string,
  ): Maybe<T> => {
    trace?.enter(stage.name, stage.phase)
    const leave = (result: T) => {
      trace?.leave(tell(result))
      return result
    }
    return when(run(), leave)
  }
  return runFrom(
    {
      services: chain.services,
      stages: chain.stages.map((stage) => ({
        ...describe(stage),
        run: (ctx: RequestContext) => noted(stage, () => stage.run(ctx), verdictOf),
      })),
      responses: chain.responses.map((stage) => ({
        ...describe(stage),
        run: (ctx: RequestContext, answer: GatewayResponse) =>
          noted(
            stage,
            () => stage.run(ctx, answer),
            () => 'shaped',
          ),
      })),
      afterCache: chain.afterCache ?? 0,
      records: chain.records,
    },
    context,
    0,
  )
}

const describe = (stage: Stage | ResponseStage) => ({ name: stage.name, phase: stage.phase })

function verdictOf(outcome: Outcome): string {
  if (outcome === undefined) return 'passes'
  return 'kind' in outcome ? `refuses: ${outcome.status} ${outcome.message}` : `answers: ${outcome.status}`
}
