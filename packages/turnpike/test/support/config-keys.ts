import type { JsonSchema } from '@turnpike/core/lib'
import { configShape } from '../../src/config/config-shape.ts'

/** The paths of all keys of the configuration, as the support table writes them. */
export const configKeys: ReadonlySet<string> = new Set(pathsOf(configShape.schema))

function pathsOf(schema: JsonSchema, path: readonly string[] = []): string[] {
  const { properties, items, additionalProperties: more } = schema
  if (properties !== undefined)
    return Object.entries(properties).flatMap(([name, inner]) => pathsOf(inner, [...path, name]))
  if (items?.properties !== undefined) return pathsOf(items, path)
  if (typeof more === 'object' && (more.properties ?? more.items) !== undefined) return pathsOf(more, [...path, '*'])
  return [path.join('.')]
}
