/** The scripts of the APIs that are served, as stages use them. */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { ScriptKind, ScriptResult } from '../../ports/script.ts'
import type { ScriptKeys } from '../../session/registry/script-keys.ts'
import type { RequestContext } from './request-context.ts'

/** Runs a script of one API. `args`: JSON texts of its arguments. Logs what the script logs, and notes it in the trace. */
export type RunScript = (
  context: RequestContext,
  kind: ScriptKind,
  name: string,
  args: readonly string[],
) => Promise<ScriptResult>

export interface Scripts {
  readonly keys: ScriptKeys
  /**
   * Opens the scope of an API at the first call; all stages and versions of the API share it. `onRelease` registers
   * what closes it.
   */
  scopeOf(api: ApiDefinition, onRelease: ((release: () => void) => void) | undefined): RunScript
}
