/** Parts of schemas, for `prepare-schema.ts`. */
import { isObject, type JsonObject } from './json-type.ts'
import type { AjvSchema, Never } from './schema.ts'

export function isSchema(value: unknown): value is JsonObject | boolean {
  return typeof value === 'boolean' || isObject(value)
}

/** A schema that is compiled when a value first meets it: compiling the schema of OpenAPI documents whole takes 0.2 s. */
export function isLarge(schema: unknown): boolean {
  const properties = isObject(schema) ? schema['properties'] : undefined
  return isObject(properties) && Object.keys(properties).length >= 4
}

export const numberKeywords = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const

export const isNumber = (value: unknown) => typeof value === 'number'
export const isText = (value: unknown) => typeof value === 'string'

export function never(reason: Never): AjvSchema {
  return { enter: true, never: reason }
}

export function holderIn(prepared: AjvSchema, keyword: string): Record<string, unknown> {
  const holder: Record<string, unknown> = {}
  prepared[keyword] = holder
  return holder
}

export function copyNumbers(schema: JsonObject, prepared: AjvSchema, keywords: readonly string[]): void {
  for (const keyword of keywords) if (typeof schema[keyword] === 'number') prepared[keyword] = schema[keyword]
}
