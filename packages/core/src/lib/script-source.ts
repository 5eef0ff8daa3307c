/** Sources of scripts, which definitions name and the port `Script` runs. */

/** A source text. `name` appears in messages, so it is the path as the definition writes it. */
export interface ScriptSource {
  readonly name: string
  readonly text: string
}

/** A source that could not be read. */
export interface ScriptProblem {
  readonly source: string
  readonly message: string
}
