import type { VariableSource } from '../../lib/template/variable-text.ts'

/** Values of the variables of one request. */
export interface RequestVariables extends VariableSource {
  /** Sets the value of a context name: a match of a trigger or a claim of a token. */
  keep(name: string, value: string): void
  /** Sets the fields of the client's form. They precede the fields of the query. */
  setForm(body: Uint8Array): void
  /** All values, for templates (`._svc_context`). */
  contextMap(): Map<string, unknown>
}
