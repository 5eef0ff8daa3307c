/** What is served at a moment: replaced as a whole by a reload, never changed in place. */
import type { ApiDefinition } from '../definition/api-definition.ts'
import { hashText } from '../lib/hash/key-hash.ts'
import type { CompiledApi } from '../pipeline/compile/compiled-api.ts'
import type { ListenPathTable } from '../route/listen-path-table.ts'
import type { StreamRoute } from '../route/stream-route.ts'
import type { PolicyReading } from '../session/policies/parse-policies.ts'

export interface Table {
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

/** Of all that is served; nodes that serve the same have the same. */
export function hashOfTable({ apis, policiesHash }: Table): string {
  const parts = apis.map(({ definition: { source, hash, listenPath } }) => `${source}\n${hash}\n${listenPath}`)
  return hashText([...parts.sort(), policiesHash].join('\n'), 'murmur128')
}
