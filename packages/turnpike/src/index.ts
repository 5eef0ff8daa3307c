export type {
  CompileContext,
  CustomStage as Stage,
  CustomStagePhase as StagePhase,
  CustomStageServices as StageServices,
  Endpoint,
  ListedStage,
  MessageHeaders,
  RequestContext,
  StageApi,
  StageHandlers,
  StageLimit,
  StageLimitResult,
  StageName,
  StageOutcome,
  StageRejection,
  StageReply,
  StageRequest,
  StageResponse,
  StageSession,
} from '@turnpike/core/pipeline'
export type { Clock, FrontEnd, Ids, Log, Passwords, Store, Upstream } from '@turnpike/core/ports'
export { makeMemoryStore } from '@turnpike/core/store-memory'
export { ConfigError } from './gateway/config-error.ts'
export { createGateway } from './gateway/create-gateway.ts'
export { type ApiOptions, defineApi } from './gateway/define-api.ts'
export { defineConfig } from './gateway/define-config.ts'
export type * from './gateway/document-types.ts'
export { fromPino, type PinoLike } from './gateway/from-pino.ts'
export type * from './gateway/gateway.ts'
export { KeyRejected } from './gateway/gateway.ts'
export type { GatewayOptions } from './gateway/gateway-options.ts'
export { OptionError } from './gateway/options/option-error.ts'
export { version } from './version.ts'
