/** Whether a value is what a documented schema says. The subset of JSON Schema that documents here use. */
import type { AnyDocument, AnySchema } from './documented-operations.ts'

/** The first thing that does not fit, with its place; `undefined`: the value fits. */
export function misfit(value: unknown, schema: AnySchema, document: AnyDocument, place = 'answer'): string | undefined {
  const { type, properties, additionalProperties, items, required, enum: allowed } = resolve(schema, document)
  const types = type === undefined ? [] : [type].flat()
  if (types.length > 0 && !types.some((one) => isOfType(value, one))) {
    return `${place} is ${JSON.stringify(value)?.slice(0, 80)}, documented as ${types.join(' or ')}`
  }
  if (allowed !== undefined && !allowed.includes(value)) return `${place} is ${String(value)}, which is not listed`
  if (Array.isArray(value)) {
    return items && firstOf(value.map((entry, i) => () => misfit(entry, items, document, `${place}[${i}]`)))
  }
  if (typeof value !== 'object' || value === null) return undefined
  const missing = required?.find((name) => !Object.hasOwn(value, name))
  if (missing !== undefined) return `${place} has no ${missing}`
  return firstOf(
    Object.entries(value).map(([name, entry]) => () => {
      const known = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
      const own = known ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
      return own && misfit(entry, own, document, `${place}.${name}`)
    }),
  )
}

/** The schema behind a reference. */
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
