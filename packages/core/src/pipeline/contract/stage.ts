/**
 * The seam of the pipeline. A stage is one step of a request's way: one file, one `make…` function that looks at the
 * API once, when it is compiled, and returns the stage, or null when this API does not need it. What is not needed
 * is not in the chain, so it costs nothing.
 */
import type { ApiDefinition, ApiVersion } from '../../definition/api-definition.ts'
import type { Rejection } from '../../http/errors.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { Phase } from './phase.ts'
import type { RequestContext } from './request-context.ts'
import type { StageServices } from './stage-services.ts'

/** `undefined`: go on. A rejection ends the way with an error; an answer ends it with itself. */
export type Outcome = GatewayResponse | Rejection | undefined

/** A step before the answer. It decides with a pure function of a domain folder and calls at most one port. */
export interface Stage {
  readonly name: string
  readonly phase: Phase
  /**
   * Requests that only read the limits of their key run this stage as well. It must consume nothing. The stages of
   * 2-identify always run for them.
   */
  readonly runsForLimits?: true
  run(context: RequestContext): Maybe<Outcome>
}

/** A step on the answer's way back; runs for answers of phase 5 only, never for rejections. */
export interface ResponseStage {
  readonly name: string
  readonly phase: Phase
  /** Responses from the cache have passed this stage and all before it: they continue with the next one. */
  readonly resumesCached?: true
  run(context: RequestContext, answer: GatewayResponse): Maybe<GatewayResponse>
}

/** The last step: sees every request, refused ones too, after its answer is known. It changes nothing. */
export interface RecordStage {
  readonly name: string
  readonly phase: Phase
  run(context: RequestContext, answer: GatewayResponse): void
}

/** What a stage is made for: one version of one API, and the things it may use. */
export interface CompileContext {
  readonly api: ApiDefinition
  readonly version: ApiVersion
  readonly services: StageServices
}

export type MakeStage = (compileContext: CompileContext) => Stage | null
export type MakeResponseStage = (compileContext: CompileContext) => ResponseStage | null
export type MakeRecordStage = (compileContext: CompileContext) => RecordStage | null
