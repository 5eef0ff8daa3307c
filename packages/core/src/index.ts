/**
 * The public API: the engine, what a program gives to it and gets from it, and the ports that adapters implement. Packages
 * of this repository import the folders, as `@turnpike/core/session`.
 */

export type { ApiDefinition } from './definition/api-definition.ts'
export type { DefinitionSource, PolicySource, SourceDocument, SourceSnapshot } from './definition/definition-source.ts'
export { type Engine, makeEngine } from './engine/engine.ts'
export type { EngineOptions } from './engine/engine-options.ts'
export { type CollectedResponse, collectResponse, type InjectOptions, makeInjectedRequest } from './engine/inject.ts'
export type { ReloadReport } from './engine/reload-report.ts'
export type { ByteSink, ByteStream } from './http/byte-stream.ts'
export type { HeaderPairs } from './http/headers.ts'
export type { GatewayRequest, GatewayResponse, GatewayResponseBody, Tunnel } from './http/messages.ts'
export type { Maybe } from './lib/maybe.ts'
export type { Millis } from './lib/text/time.ts'
export type { Dispatch, Endpoint } from './pipeline/contract/endpoint.ts'
export type { CompileContext } from './pipeline/contract/stage.ts'
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
} from './pipeline/custom-stages/custom-stage.ts'
export type { Clock } from './ports/clock.ts'
export type { FrontEnd, Handle, Listening } from './ports/front-end.ts'
export type { Ids } from './ports/ids.ts'
export { type Log, silentLog } from './ports/log.ts'
export type { Passwords } from './ports/passwords.ts'
export type { ScriptRuntime } from './ports/script.ts'
export type { Session } from './ports/session.ts'
export { defaultSettings, type GatewaySettings } from './ports/settings.ts'
export type { Signals } from './ports/signals.ts'
export { type Store, StoreUnavailableError } from './ports/store.ts'
export type { TokenVerifier } from './ports/token-verifier.ts'
export type { Upstream, UpstreamLink, UpstreamRequest, UpstreamResponse } from './ports/upstream.ts'
export { makeMemoryStore } from './store-memory/memory-store.ts'
export { makeMemorySignals } from './store-memory/signals-memory.ts'
