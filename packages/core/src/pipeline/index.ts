/** The names of this folder that other packages import, as `@turnpike/core/pipeline`. */
export { admitCertificate } from './1-accept/client-certificate.ts'
export { recordedStageName } from './7-record/access-log.ts'
export { withNoopStages } from './compile/noop-stages.ts'
export { type AccessLog, accessLogFieldNames } from './contract/access-log-fields.ts'
export type { Dispatch, Endpoint } from './contract/endpoint.ts'
export type { RecordSink, RequestRecord } from './contract/record-sink.ts'
export type { RejectionReason } from './contract/rejection-reason.ts'
export type { ErrorFormat, ErrorTemplates, RejectionRenderer, RenderText } from './contract/rejection-renderer.ts'
export type { RequestContext } from './contract/request-context.ts'
export type { OriginalRequest, RequestDetails, RequestWatcher } from './contract/request-watcher.ts'
export type { CompileContext, MakeStage, Outcome, Stage } from './contract/stage.ts'
export type { LimitReading, TracedStage } from './contract/stage-trace.ts'
export { makeHiddenTexts } from './contract/stage-trace.ts'
export type { RecordedStages, RequestSpan, SpannedContext, Tracing } from './contract/tracing.ts'
export { type ListedStage, listStages } from './custom-stages/adapt-custom-stages.ts'
export { findStageProblem } from './custom-stages/check-stages.ts'
export type {
  CustomStage,
  CustomStagePhase,
  CustomStageServices,
  MessageHeaders,
  StageApi,
  StageHandlers,
  StageLimit,
  StageLimitResult,
  StageOutcome,
  StageRejection,
  StageReply,
  StageRequest,
  StageResponse,
  StageSession,
} from './custom-stages/custom-stage.ts'
export type { StageConfigProblem } from './custom-stages/make-custom-stages.ts'
export { escapeFor } from './errors/render-rejections.ts'
export { hasExample } from './openapi/example-response.ts'
export { clientAddressOfRequest, guessAddressOf } from './shared/client-address.ts'
export { maxBufferedRequestBytes } from './shared/request-body.ts'
export { type StageName, type StageOrder, stageOrder } from './stage-order.ts'
