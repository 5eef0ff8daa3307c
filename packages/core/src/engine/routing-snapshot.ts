/**
 * What the gateway serves at a moment: routes, compiled APIs and policies. A reload replaces the snapshot as a whole
 * (swap-routing-snapshot.ts); nothing changes it in place.
 */
import type { ApiDefinition } from '../definition/api-definition.ts'
import { hashText } from '../lib/hash/key-hash.ts'
import type { CompiledApi } from '../pipeline/compile/compiled-api.ts'
import type { ListenPathTable } from '../route/listen-path-table.ts'
import type { StreamRoute } from '../route/stream-route.ts'
import type { PolicyReading } from '../session/policies/parse-policies.ts'

export interface RoutingSnapshot {
  readonly routes: ListenPathTable<CompiledApi>
  /** Of APIs with a port of their own, by port. */
  readonly onPorts: ReadonlyMap<number, ListenPathTable<CompiledApi>>
  /** Where bytes pass as they are, by port. */
  readonly streams: ReadonlyMap<number, StreamRoute>
  readonly apis: readonly CompiledApi[]
  /** Of several with one id, the last. */
  readonly byId: ReadonlyMap<string, CompiledApi>
  /** Parsed definitions by source, as they were before listen paths were settled. */
  readonly parsed: ReadonlyMap<string, ApiDefinition>
  readonly policies: PolicyReading
  readonly policiesHash: string
}

/** A hash of everything in the snapshot: equal on nodes that serve the same. */
export function hashOfSnapshot({ apis, policiesHash }: RoutingSnapshot): string {
  const parts = apis.map(({ definition: { source, hash, listenPath } }) => `${source}\n${hash}\n${listenPath}`)
  return hashText([...parts.sort(), policiesHash].join('\n'), 'murmur128')
}
