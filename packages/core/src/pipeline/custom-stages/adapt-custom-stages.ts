/**
 * Adapts the handlers of custom stages to the interface of built-in stages and says where each belongs; `place-stages.ts`
 * inserts them there.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import type { Rejection } from '../../http/rejections.ts'
import { isPromise, type Maybe } from '../../lib/maybe.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, Outcome, ResponseStage, Stage, Unnamed } from '../contract/stage.ts'
import {
  type Anchor,
  placeStages,
  type ResponseStagePlugin,
  type StagePlugin,
  type StagePlugins,
} from '../place-stages.ts'
import { type ResponseStageName, type StageName, stageOrder } from '../stage-order.ts'
import { stageNamesOf } from './check-stages.ts'
import type { CustomStage, CustomStagePhase, StageHandlers, StageOutcome } from './custom-stage.ts'
import { CustomStageRequest } from './stage-request.ts'
import { CustomStageResponse } from './stage-response.ts'
import { BodyRejected, toOutcome } from './to-outcome.ts'

type HandlersOf = (api: ApiDefinition) => ReadonlyMap<string, StageHandlers> | undefined

const responsePhase = '6-shape-response'

/** `handlersOf`: what the stages made for an API; `undefined`: it needs none of them. */
export function pluginsOf(stages: readonly CustomStage[], handlersOf: HandlersOf): StagePlugins {
  return {
    stages: stages
      .filter(({ phase }) => phase !== responsePhase)
      .map((stage): StagePlugin => {
        const { name, phase } = stage
        const make = (compileContext: CompileContext) => requestStage(stage, handlersOf, compileContext)
        return { ...(positionOf(stage) as Anchor<StageName>), name, phase, make }
      }),
    responseStages: stages.map((stage): ResponseStagePlugin => {
      const make = (compileContext: CompileContext) => responseStage(stage, handlersOf, compileContext)
      const position = stage.phase === responsePhase ? positionOf(stage) : atEnd(responsePhase)
      return { ...(position as Anchor<ResponseStageName>), name: stage.name, phase: responsePhase, make }
    }),
  }
}

export interface ListedStage {
  readonly name: string
  readonly phase: CustomStagePhase
  readonly isCustom: boolean
}

/** All stages in the order in which a request and its response pass them. An API has those that it needs. */
export function listStages(custom: readonly CustomStage[]): readonly ListedStage[] {
  const { stages, responses } = placeStages(
    stageOrder,
    pluginsOf(custom, () => undefined),
  )
  return [...stages, ...responses].flatMap(({ name, phase }): ListedStage[] => {
    const own = custom.find((stage) => stage.name === name)
    // A custom stage of another phase is also placed where it may handle responses.
    if (own !== undefined && own.phase !== phase) return []
    return [{ name, phase: phase as CustomStagePhase, isCustom: own !== undefined }]
  })
}

/** The position of a stage: as given, otherwise the end of its phase. The last stage of 5-respond always responds. */
function positionOf({ phase, before, after }: CustomStage): Anchor<string> {
  if (before !== undefined) return { before }
  if (after !== undefined) return { after }
  return phase === '5-respond' ? { before: stageNamesOf(phase)[0] as string } : atEnd(phase)
}

function atEnd(phase: CustomStage['phase']): Anchor<string> {
  return { after: stageNamesOf(phase).at(-1) as string }
}

function requestStage(
  { name, phase }: CustomStage,
  handlersOf: HandlersOf,
  compileContext: CompileContext,
): Unnamed<Stage> | null {
  const handlers = handlersOf(compileContext.api)?.get(name)
  if (handlers?.request === undefined) return null
  const run = handlers.request.bind(handlers)
  return {
    run(context): Maybe<Outcome> {
      return settle(
        () => run(new CustomStageRequest(context, compileContext, name, phase)),
        (result) => toOutcome(result, name),
      )
    },
  }
}

function responseStage(
  { name }: CustomStage,
  handlersOf: HandlersOf,
  compileContext: CompileContext,
): Unnamed<ResponseStage> | null {
  const handlers = handlersOf(compileContext.api)?.get(name)
  if (handlers?.response === undefined) return null
  const run = handlers.response.bind(handlers)
  return {
    run(context: RequestContext, response: GatewayResponse): Maybe<GatewayResponse | Rejection> {
      if (response.tunnel !== undefined) return response
      const shown = new CustomStageResponse(response, compileContext)
      const request = new CustomStageRequest(context, compileContext, name, responsePhase)
      return settle(
        () => run(shown, request),
        (result) => {
          const outcome = toOutcome(result, name)
          if (outcome !== undefined) shown.discard()
          return outcome ?? response
        },
        () => shown.discard(),
      )
    },
  }
}

/** Runs a handler. A body that could not be read is a rejection; other errors go to the chain, which logs them. */
function settle<T>(
  run: () => Maybe<StageOutcome>,
  toResult: (outcome: StageOutcome) => T,
  onFailure: () => void = () => {},
): Maybe<T | Rejection> {
  const fail = (cause: unknown): Rejection => {
    onFailure()
    if (cause instanceof BodyRejected) return cause.rejection
    throw cause
  }
  try {
    const result = run()
    return isPromise(result) ? result.then(toResult).catch(fail) : toResult(result)
  } catch (cause) {
    return fail(cause)
  }
}
