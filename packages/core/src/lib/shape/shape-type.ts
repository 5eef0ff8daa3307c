/** What a shape is, and what reading by one reports. `shape.ts` has the shapes themselves. */

/** Names and indexes that lead from a document to one of its values. */
export type JsonPath = readonly (string | number)[]

/** What reading found wrong, and where. */
export interface Problem {
  /** `type`: the document is unreadable. `unknown`: a field that nobody reads; `suggestion` is the nearest known one. */
  readonly kind: 'type' | 'unknown'
  readonly path: JsonPath
  readonly message: string
  readonly suggestion?: string | undefined
}

export interface Shape<T> {
  /** A fresh zero value: what an absent field means. */
  zero(): T
  read(value: unknown, path: JsonPath, problems: Problem[]): T
  /** The value as JSON, every field present. */
  write(value: T): unknown
  /** Whether `write` would give a zero: `""`, 0, false, null, or nothing but zeros. */
  isZero(value: T): boolean
  /** The value as JSON without zero fields. */
  writeSparse(value: T): unknown
  readonly schema: JsonSchema
}

/** The part of JSON Schema 2020-12 that shapes use. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
  readonly enum?: readonly unknown[]
  readonly required?: readonly string[]
}

/** The TypeScript type that a shape reads to. */
export type Of<S> = S extends Shape<infer T> ? T : never

/** Notes that a value is of another type than expected. */
export function wrongType(expected: string, value: unknown, path: JsonPath, problems: Problem[]): void {
  problems.push({ kind: 'type', path: [...path], message: `must be ${expected}, is ${nameOfType(value)}` })
}

function nameOfType(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (value === null) return 'null'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return 'a text'
  if (typeof value === 'boolean') return `the boolean ${String(value)}`
  return `the number ${String(value)}`
}
