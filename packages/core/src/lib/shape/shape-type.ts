/** The interface of a shape and the problems that reading reports. The shapes themselves are in `shape.ts`. */

/** Names and indexes from the document to one of its values. */
export type JsonPath = readonly (string | number)[]

/** A problem found while reading, and its path. */
export interface Problem {
  /**
   * `type`: the document is unreadable. `inner-type`: a part of a value that is kept as it is written has a wrong type.
   * `unknown`: the field is not known; `suggestion` is the nearest known name.
   */
  readonly kind: 'type' | 'inner-type' | 'unknown'
  readonly path: JsonPath
  readonly message: string
  readonly suggestion?: string | undefined
  /** The unknown field is empty, so that it says nothing. */
  readonly isEmpty?: true | undefined
}

export interface Shape<T> {
  /** Returns a new zero value, the value of an absent field. */
  zero(): T
  read(value: unknown, path: JsonPath, problems: Problem[]): T
  /** The value as JSON, every field present. */
  write(value: T): unknown
  /** Returns true if `write` would give a zero value: `""`, 0, false, null, or an object that has only zero values. */
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
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly required?: readonly string[]
  /** The value of an absent field, unless it is the zero value. */
  readonly default?: unknown
  /** The schema describes the value for readers and tools; values of any form are kept and returned. */
  readonly 'x-as-written'?: true
}

/** The TypeScript type of the values that a shape reads. */
export type Of<S> = S extends Shape<infer T> ? T : never

/** Reports that a value has another type than expected. */
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
