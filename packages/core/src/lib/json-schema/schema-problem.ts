/** What a value has wrong against a schema, in the words that clients of existing gateways know. */
export interface SchemaProblem {
  /** Names and indexes from the root to the value. */
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** `age: Must be …`; the root is written `(root)`. Source: spec/apis-and-pipeline.md 4.6. */
export function formatSchemaProblem({ path, message }: SchemaProblem): string {
  return `${fieldOf(path)}: ${message}`
}

export function fieldOf(path: readonly (string | number)[]): string {
  return path.length === 0 ? '(root)' : path.join('.')
}
