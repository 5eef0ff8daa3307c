/** The names of this folder that other packages import, as `@turnpike/core/engine`. */
export { type ClusterMember, joinCluster } from './cluster-member.ts'
export type { DebugListener, DebugResult } from './debug-request.ts'
export { type Engine, makeEngine } from './engine.ts'
export type { EngineOptions } from './engine-options.ts'
export type { WrittenDefinition } from './find-definition-problems.ts'
export type { CheckedStages } from './find-stage-config-problem.ts'
export {
  type CollectedResponse,
  collectResponse,
  type InjectedRequest,
  type InjectOptions,
  makeInjectedRequest,
} from './inject.ts'
export type { NearListenPath } from './nearest-listen-paths.ts'
export { describeNode, type NodeState } from './node-state.ts'
export type { PreparedReload, ReloadGroup } from './reload-group.ts'
export type { ReloadReport } from './reload-report.ts'
