import { findUnsupported, type JsonSchema } from '@turnpike/core'
import { describe, expect, it } from 'vitest'
import { configShape } from './config-shape.ts'
import { configSupport, unsupportedInConfig } from './config-support.ts'

function pathsOf(schema: JsonSchema, path: readonly string[] = []): string[] {
  const { properties, items, additionalProperties: more } = schema
  if (properties !== undefined)
    return Object.entries(properties).flatMap(([name, inner]) => pathsOf(inner, [...path, name]))
  if (items?.properties !== undefined) return pathsOf(items, path)
  if (typeof more === 'object' && (more.properties ?? more.items) !== undefined) return pathsOf(more, [...path, '*'])
  return [path.join('.')]
}

describe('the support table of the configuration', () => {
  it('lists every key', () => {
    const paths = new Set(pathsOf(configShape.schema))
    expect([...paths].filter((path) => !configSupport.has(path))).toEqual([])
    expect([...configSupport.keys()].filter((path) => !paths.has(path))).toEqual([])
  })

  it('finds keys without effect that a file sets', () => {
    const found = findUnsupported(unsupportedInConfig, {
      newrelic: {},
      hash_keys: true,
    })
    expect(found.map(({ path }) => path.join('.'))).toEqual(['newrelic'])
  })
})
