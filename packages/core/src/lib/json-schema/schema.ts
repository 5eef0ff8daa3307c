/** Types shared by the files that turn a JSON Schema into one that ajv compiles. */
import type { JsonObject } from './json-type.ts'

/** Differences between plain JSON Schema and the schemas in an OpenAPI document. */
export interface Dialect {
  /** Rewrites an object schema before its keywords are read, `$ref` included. */
  adapt(schema: JsonObject): JsonObject
  /** What the schema demands besides its keywords. Default: nothing. */
  extrasOf?(schema: JsonObject): SchemaExtras
  /**
   * Whether a member is a failure whose name differs from a property of the schema in case only: a reader that folds case
   * would take it for that property, which the schema has not checked. Default: false.
   */
  readonly rejectsLookalikes?: boolean
  readonly formats: Readonly<Record<string, (text: string) => boolean>>
  /** Orders the failures of one value, and may leave out some. */
  arrange(errors: readonly SchemaError[]): readonly SchemaError[]
}

/** Demands of a schema that JSON Schema has no keyword for. */
export interface SchemaExtras {
  /** Names of members that an object must not have. */
  readonly forbidden: readonly string[]
  readonly choice: Choice | undefined
}

/** A member of an object whose value selects the schema of the object. */
export interface Choice {
  /** The keyword that does not apply, because the choice applies instead; `undefined`: all keywords apply. */
  readonly replaces: 'oneOf' | 'anyOf' | undefined
  readonly property: string
  /** The schemas, by the value of the member. */
  readonly schemas: ReadonlyMap<string, unknown>
  /** The schema for other values of the member; `undefined`: the object is invalid. */
  readonly otherwise: unknown
  /** The schema for values that are not objects. */
  readonly plain: unknown
}

/**
 * An object schema for ajv. It contains only keywords that ajv or `composition.ts` knows, with valid values. References
 * and alternatives are schemas of their own.
 */
export type AjvSchema = Record<string, unknown>

/** Why a schema accepts no value. */
export type Never = 'false' | 'loop' | 'invalid'

/** One failure, as ajv and `composition.ts` report it. */
export interface SchemaError {
  readonly keyword: string
  /** A JSON pointer (RFC 6901) into the value. */
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  /** The value of the keyword. */
  readonly schema?: unknown
  /** The schema that contains the keyword. */
  readonly parentSchema?: unknown
  /** The value that failed. */
  readonly data?: unknown
  /** Failures of each sub-schema of `anyOf`, `oneOf`, `allOf` and `if`. */
  readonly branches?: readonly (readonly SchemaError[])[]
}
