/**
 * The interface of stages. A stage is one step of the request pipeline: one file with one `make…` function, which runs
 * once when an API is compiled. It returns null if the API does not need the stage, and the chain then omits it. The
 * order of stages (`stage-order.ts`) gives each stage its name and phase.
 */
import type { ApiDefinition, ApiVersion } from '../../definition/api-definition.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import type { Rejection } from '../../http/rejections.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { Phase } from './phase.ts'
import type { RequestContext } from './request-context.ts'
import type { StageServices } from './stage-services.ts'

/** `undefined` continues with the next stage. A rejection or a response ends the request phase. */
export type Outcome = GatewayResponse | Rejection | undefined

/** A step before the response. It decides with a pure function of a domain folder and calls at most one port. */
export interface Stage {
  readonly name: string
  readonly phase: Phase
  /**
   * Requests that only read the limits of their key run this stage as well. It must consume nothing. The stages of
   * 2-identify always run for them.
   */
  readonly runsForLimits?: true
  /**
   * What happens to a request when the store is unavailable in this stage: it `continues` without the stage, or
   * `as-configured`. Default: it gets status 503; in phases 2 and 3 `as-configured` (`compile/store-outage.ts`).
   */
  readonly withoutStore?: 'continues' | 'as-configured'
  /** Called once, when the chain is complete: the stage receives a function that runs the stages after it. */
  readonly useRest?: (rest: RunRest) => void
  run(context: RequestContext): Maybe<Outcome>
}

/** Runs the later stages of a chain for a request that no client waits for. Rejects if a stage throws. */
export type RunRest = (context: RequestContext) => Promise<Outcome>

/**
 * A step that shapes a response, or rejects the request. It runs for responses of phase 5 only, never for rejections.
 */
export interface ResponseStage {
  readonly name: string
  readonly phase: Phase
  /** Responses from the cache have passed this stage and all before it: they continue with the next one. */
  readonly resumesCached?: true
  run(context: RequestContext, response: GatewayResponse): Maybe<GatewayResponse | Rejection>
}

/** The last step: runs once the response is known, for rejected requests too, and must not change it. */
export interface RecordStage {
  readonly name: string
  readonly phase: Phase
  run(context: RequestContext, response: GatewayResponse): void
}

/** What a stage is compiled for: one version of one API, and the services that it may use. */
export interface CompileContext {
  readonly api: ApiDefinition
  readonly version: ApiVersion
  readonly services: StageServices
}

/** A stage without the name and the phase that the order gives it. */
export type Unnamed<S> = Omit<S, 'name' | 'phase'>
type Make<S> = (compileContext: CompileContext) => Unnamed<S> | null

export type MakeStage = Make<Stage>
export type MakeResponseStage = Make<ResponseStage>
export type MakeRecordStage = Make<RecordStage>

/** A stage in the order, before it is made for an API. */
export interface OrderEntry<S> {
  readonly name: string
  readonly phase: Phase
  readonly make: Make<S>
}
