/** Validates values against the subset of JSON Schema that the OpenAPI documents of this repository use. */
import type { AnyDocument, AnySchema } from './documented-operations.ts'

/** Describes the first violation and its position, or returns `undefined` if the value is valid. */
export function schemaViolation(
  value: unknown,
  schema: AnySchema,
  document: AnyDocument,
  position = 'response',
): string | undefined {
  const { type, properties, additionalProperties, items, required, enum: allowed } = resolve(schema, document)
  const types = type === undefined ? [] : [type].flat()
  if (types.length > 0 && !types.some((one) => isOfType(value, one))) {
    return `${position} is ${JSON.stringify(value)?.slice(0, 80)}, documented as ${types.join(' or ')}`
  }
  if (allowed !== undefined && !allowed.includes(value)) return `${position} is ${String(value)}, which is not listed`
  if (Array.isArray(value)) {
    return items && firstOf(value.map((entry, i) => () => schemaViolation(entry, items, document, `${position}[${i}]`)))
  }
  if (typeof value !== 'object' || value === null) return undefined
  const missing = required?.find((name) => !Object.hasOwn(value, name))
  if (missing !== undefined) return `${position} has no ${missing}`
  return firstOf(
    Object.entries(value).map(([name, entry]) => () => {
      const known = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
      const own = known ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
      return own && schemaViolation(entry, own, document, `${position}.${name}`)
    }),
  )
}

/** Returns the schema that `$ref` names, or the schema itself. */
export function resolve(schema: AnySchema, document: AnyDocument): AnySchema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return name === undefined ? schema : (document.components?.schemas?.[name] ?? {})
}

function firstOf(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const problem = check()
    if (problem !== undefined) return problem
  }
  return undefined
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}
