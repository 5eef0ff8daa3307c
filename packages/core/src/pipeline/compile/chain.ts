/**
 * Builds the chain of one version of one API, once, and runs it for each request.
 *
 * Synchronous stages run in a plain loop. From the first stage that returns a promise, the rest is asynchronous.
 * Rejections and thrown errors of stages become responses in this file; `store-outage.ts` decides about errors of the
 * store. `engine/unrouted.ts` and `compiled-api.ts` reject requests that reach no chain.
 */

import type { GatewayResponse } from '../../http/messages.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { isPromise, type Maybe } from '../../lib/maybe.ts'
import type { Phase } from '../contract/phase.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, OrderEntry, Outcome, RecordStage, ResponseStage, Stage } from '../contract/stage.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { makeApiRejectionRenderer, type RenderRejection } from '../errors/error-overrides.ts'
import { addRateHeaders } from '../shared/limit-headers.ts'
import { type AddLoginHint, makeLoginHint } from '../shared/metadata-source.ts'
import { type StageOrder, stageOrder } from '../stage-order.ts'
import { passesWithoutStore, rejectionOfOutage } from './store-outage.ts'
import { tracedChainOf } from './traced-chain.ts'

export interface Chain {
  readonly stages: readonly Stage[]
  readonly responses: readonly ResponseStage[]
  /** Index in `responses` at which cached responses continue: after the stage with `resumesCached`. */
  readonly afterCache?: number
  readonly records: readonly RecordStage[]
  /** Absent: rejected callers get no hint about how to log in. */
  readonly addLoginHint?: AddLoginHint | undefined
  readonly services: ChainServices
  readonly renderRejection: RenderRejection
}

/** The services that running a chain needs. */
type ChainServices = Pick<StageServices, 'errors' | 'settings' | 'log'>

/** The stages that this version of this API needs, in the order of `stage-order.ts`. */
export function makeChain(compileContext: CompileContext, order: StageOrder = stageOrder): Chain {
  const stages = needed(order.stages, compileContext)
  const responses = needed(order.responses, compileContext)
  const { errors, settings, log } = compileContext.services
  stages.forEach((stage, at) => {
    stage.useRest?.((context) => runStages(stages.slice(at + 1), context))
  })
  return {
    stages,
    responses,
    afterCache: responses.findIndex((stage) => stage.resumesCached) + 1,
    records: needed(order.records, compileContext),
    addLoginHint: makeLoginHint(compileContext),
    services: { errors, settings, log },
    renderRejection: makeApiRejectionRenderer(compileContext),
  }
}

function needed<S>(entries: readonly OrderEntry<S>[], compileContext: CompileContext): S[] {
  return entries.flatMap(({ name, phase, make }) => {
    const stage = make(compileContext)
    return stage === null ? [] : [{ ...stage, name, phase } as S]
  })
}

async function runStages(stages: readonly Stage[], context: RequestContext): Promise<Outcome> {
  for (const stage of stages) {
    const outcome = await stage.run(context)
    if (outcome !== undefined) return outcome
  }
  return undefined
}

/** Runs a request through the chain. Never throws, never rejects. */
export function runChain(chain: Chain, context: RequestContext): Maybe<GatewayResponse> {
  return runFrom(context.trace === undefined ? chain : tracedChainOf(chain), context, 0)
}

function runFrom(chain: Chain, context: RequestContext, start: number): Maybe<GatewayResponse> {
  const { stages } = chain
  for (let i = start; i < stages.length; i++) {
    const stage = stages[i] as Stage
    let outcome: Maybe<Outcome>
    try {
      outcome = stage.run(context)
    } catch (cause) {
      if (passesWithoutStore(cause, stage, context, chain.services.settings)) continue
      return reject(chain, context, stage, rejectionOfError(chain, stage, cause))
    }
    if (outcome === undefined) continue
    if (isPromise(outcome)) return continueAsync(chain, context, i, outcome)
    return end(chain, context, stage, outcome)
  }
  return reject(chain, context, undefined, rejections.internalError)
}

// `then` instead of `await` creates one promise instead of three.
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
      passesWithoutStore(cause, stage, context, chain.services.settings)
        ? runFrom(chain, context, at + 1)
        : reject(chain, context, stage, rejectionOfError(chain, stage, cause)),
  )
}

function end(
  chain: Chain,
  context: RequestContext,
  stage: Stage,
  outcome: GatewayResponse | Rejection,
): Maybe<GatewayResponse> {
  if ('kind' in outcome) {
    const instead = context.rescue?.(outcome)
    return instead === undefined ? reject(chain, context, stage, outcome) : shape(chain, context, instead, 0)
  }
  if (context.handledByLoop) return outcome
  if (stage.phase !== '5-respond') return settle(chain, context, outcome)
  return shape(chain, context, outcome, context.shaped ? (chain.afterCache ?? 0) : 0)
}

/** Runs the response stages. */
function shape(
  chain: Chain,
  context: RequestContext,
  response: GatewayResponse,
  start: number,
): Maybe<GatewayResponse> {
  const { responses } = chain
  for (let i = start; i < responses.length; i++) {
    const stage = responses[i] as ResponseStage
    let next: Maybe<GatewayResponse | Rejection>
    try {
      next = stage.run(context, response)
    } catch (cause) {
      return reject(chain, context, stage, rejectionOfError(chain, stage, cause))
    }
    if (isPromise(next)) {
      return next.then(
        (made) => ('kind' in made ? reject(chain, context, stage, made) : shape(chain, context, made, i + 1)),
        (cause: unknown) => reject(chain, context, stage, rejectionOfError(chain, stage, cause)),
      )
    }
    if ('kind' in next) return reject(chain, context, stage, next)
    response = next
  }
  return settle(chain, context, response)
}

function reject(
  chain: Chain,
  context: RequestContext,
  stage: { readonly name: string; readonly phase: Phase } | undefined,
  rejection: Rejection,
): GatewayResponse {
  context.rejection = rejection
  context.rejectedBy = stage?.name
  context.rejectedIn = stage?.phase
  const plan = context.cachePlan
  if (plan !== undefined && 'miss' in plan) plan.miss?.end('failed')
  const { mcp } = context
  const response =
    mcp === undefined
      ? chain.renderRejection(rejection, context.request)
      : chain.services.errors.renderRpc(rejection, mcp.idJson)
  chain.addLoginHint?.(context, response, stage?.name)
  addRateHeaders(context, response, chain.services.settings.headers)
  return settle(chain, context, response)
}

function settle(chain: Chain, context: RequestContext, response: GatewayResponse): GatewayResponse {
  if (context.extraHeaders !== undefined) response.headers.push(...context.extraHeaders)
  for (const record of chain.records) {
    try {
      record.run(context, response)
    } catch (cause) {
      chain.services.log.error('a record stage failed', { stage: record.name, cause: String(cause) })
    }
  }
  return response
}

function rejectionOfError(chain: Chain, stage: { readonly name: string }, cause: unknown): Rejection {
  const outage = rejectionOfOutage(cause)
  if (outage !== undefined) return outage
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
  chain.services.log.error('a stage failed', { stage: stage.name, cause: text })
  return rejections.internalError
}
