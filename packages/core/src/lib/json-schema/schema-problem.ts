import type { SchemaError } from './schema.ts'

/** A failure of schema validation. `schema-texts.ts` writes the message from the failures of ajv. */
export interface SchemaProblem {
  /** Names and indexes from the root to the value. */
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** `age: Must be …`; the root is written `(root)`. */
export function formatSchemaProblem({ path, message }: SchemaProblem): string {
  return `${fieldOf(path)}: ${message}`
}

export function fieldOf(path: readonly (string | number)[]): string {
  return path.length === 0 ? '(root)' : path.join('.')
}

/** The path of a failure; list indexes are numbers. */
export function locateError({ instancePath }: SchemaError, root: unknown): readonly (string | number)[] {
  const path: (string | number)[] = []
  let at = root
  for (const token of instancePath.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    const key = Array.isArray(at) ? Number(name) : name
    path.push(key)
    at = typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[key] : undefined
  }
  return path
}
