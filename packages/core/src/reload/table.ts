/** What is served at a moment: replaced as a whole by a reload, never changed in place. */
import type { ApiDefinition } from '../definition/api-definition.ts'
import type { CompiledApi } from '../pipeline/compiled-api.ts'
import type { ListenPathTable } from '../route/listen-path-table.ts'
import type { PolicyReading } from '../session/policies/parse-policies.ts'

export interface Table {
  readonly routes: ListenPathTable<CompiledApi>
  readonly apis: readonly CompiledApi[]
  /** Of several with one id, the last. */
  readonly byId: ReadonlyMap<string, CompiledApi>
  /** Parsed definitions by source, as they were before listen paths were settled. */
  readonly parsed: ReadonlyMap<string, ApiDefinition>
  readonly policies: PolicyReading
  readonly policiesHash: string
}
