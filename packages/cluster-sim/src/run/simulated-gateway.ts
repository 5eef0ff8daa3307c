/** The gateway that all nodes of a simulation run: its files, settings, keys and requests. */
import type { SourceSnapshot } from '@turnpike/core/definition'
import type { Engine, EngineOptions } from '@turnpike/core/engine'
import type { GatewayRequest } from '@turnpike/core/http'
import type { Clock, GatewaySettings, Store } from '@turnpike/core/ports'
import type { Plan, PlannedFiles, RequestStep } from './plan.ts'

export interface SimulatedGateway {
  readonly settings: GatewaySettings
  /** Returns what is on all disks in this state of the files. The hash of a document differs between versions. */
  snapshotOf(files: PlannedFiles): SourceSnapshot
  /** Returns the version of the files that an engine serves; NaN if it serves no definition. */
  versionOf(engine: Engine): number
  /** Writes the keys and organisations that exist before the run. `store` is reached without the network. */
  seed(plan: Plan, store: Store, clock: Clock): Promise<void>
  requestOf(step: RequestStep): GatewayRequest
  /** Further options of each node's engine, such as endpoints. Default: none. */
  readonly engineOptions?: Partial<Pick<EngineOptions, 'endpoints' | 'secret' | 'readTemplate' | 'errorOverrides'>>
}
