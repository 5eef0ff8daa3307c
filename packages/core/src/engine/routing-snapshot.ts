/**
 * The routes, compiled APIs and policies that serve requests. The snapshot is immutable; a reload replaces it
 * (swap-routing-snapshot.ts).
 */
import type { ApiDefinition } from '../definition/api-definition.ts'
import { hashText } from '../lib/hash/hash-key-name.ts'
import type { CompiledApi } from '../pipeline/compile/compiled-api.ts'
import type { ListenPathTable } from '../route/listen-path-table.ts'
import type { StreamRoute } from '../route/stream-route.ts'
import type { PolicyReading } from '../session/policies/parse-policies.ts'

export interface RoutingSnapshot {
  readonly routes: ListenPathTable<CompiledApi>
  /** Listen paths of the APIs with a TCP port of their own, by port. */
  readonly onPorts: ReadonlyMap<number, ListenPathTable<CompiledApi>>
  /** Targets of raw connections, by TCP port. */
  readonly streams: ReadonlyMap<number, StreamRoute>
  readonly apis: readonly CompiledApi[]
  /** If several APIs have the same id, the last one. */
  readonly apisById: ReadonlyMap<string, CompiledApi>
  /** Parsed definitions by source, with their original listen paths. */
  readonly parsed: ReadonlyMap<string, ApiDefinition>
  readonly policies: PolicyReading
  readonly policiesHash: string
}

/** A hash of the snapshot; equal on nodes that serve the same. */
export function hashOfSnapshot({ apis, policiesHash }: RoutingSnapshot): string {
  const parts = apis.map(({ definition: { source, hash, listenPath } }) => `${source}\n${hash}\n${listenPath}`)
  return hashText([...parts.sort(), policiesHash].join('\n'), 'murmur128')
}
