import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readShape } from '../../lib/shape/shape.ts'
import type { JsonSchema } from '../../lib/shape/shape-type.ts'
import { sessionShape } from '../../ports/session.ts'
import { policyShape } from '../../session/policies/policy.ts'
import { classicShape } from '../classic.ts'
import { extensionShape } from '../openapi/extension-shape/extension-shape.ts'
import { extensionSupport, unknownInExtension } from '../openapi/openapi-support.ts'
import { definitionSupport, unsupportedInDefinition } from './definition-support.ts'
import { policySupport, sessionSupport } from './session-support.ts'
import type { SupportTable } from './support.ts'

/** The paths of a schema, as tables write them. */
function pathsOf(schema: JsonSchema, path: readonly string[] = []): string[] {
  const { properties, items, additionalProperties: more } = schema
  if (properties !== undefined)
    return Object.entries(properties).flatMap(([name, inner]) => pathsOf(inner, [...path, name]))
  if (items?.properties !== undefined) return pathsOf(items, path)
  if (typeof more === 'object' && (more.properties ?? more.items) !== undefined) return pathsOf(more, [...path, '*'])
  return [path.join('.')]
}

/** Rows of the extension include members, so groups of fields count as fields. */
const extensionFields = new Set(
  pathsOf(extensionShape.schema).flatMap((path) =>
    path.split('.').map((_, i, names) => names.slice(0, i + 1).join('.')),
  ),
)

const unsupportedIn = (definition: object) =>
  unsupportedInDefinition(readShape(classicShape, definition).value).map(({ path, status }) => [path.join('.'), status])

describe('the support tables', () => {
  it.each<[string, JsonSchema, SupportTable]>([
    ['definitions', classicShape.schema, definitionSupport],
    ['keys', sessionShape.schema, sessionSupport],
    ['policies', policyShape.schema, policySupport],
  ])('name only fields of %s', (_, schema, table) => {
    const paths = new Set(pathsOf(schema))
    expect([...table.keys()].filter((path) => !paths.has(path))).toEqual([])
  })

  it('name only fields of the extension', () => {
    expect([...extensionSupport.keys()].filter((path) => !extensionFields.has(path))).toEqual([])
  })

  it('give a reason for every field', () => {
    for (const table of [definitionSupport, sessionSupport, policySupport, extensionSupport]) {
      for (const [path, { reason }] of table) expect(reason, path).not.toBe('')
    }
  })
})

describe('the shape of the extension', () => {
  it('has every field that OpenAPI documents are converted from', () => {
    const folder = join(import.meta.dirname, '..', 'openapi', 'to-classic')
    const source = readdirSync(folder)
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('\n')
    const above = { global: 'middleware.global', server: 'server', upstream: 'upstream', info: 'info' }
    for (const [variable, path] of Object.entries(above)) {
      const names = [...source.matchAll(new RegExp(`\\b${variable}\\['(\\w+)'\\]`, 'g'))].map(([, name]) => name)
      expect(
        names.filter((name) => !extensionFields.has(`${path}.${name}`)),
        path,
      ).toEqual([])
    }
    const parts = source.slice(source.indexOf('const ruleParts'))
    const names = [...parts.slice(0, parts.indexOf('\n}')).matchAll(/^ {2}(\w+): \['/gm)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => !extensionFields.has(`middleware.operations.*.${name}`))).toEqual([])
  })
})

describe('unsupported fields', () => {
  it('are found only where a definition uses them', () => {
    expect(unsupportedIn({ auth_provider: { storage_engine: 'redis' }, analytics_plugin: { enable: false } })).toEqual(
      [],
    )
    expect(unsupportedIn({ auth_provider: { storage_engine: 'ldap' }, analytics_plugin: { enable: true } })).toEqual([
      ['auth_provider', 'rejected'],
      ['analytics_plugin', 'ignored'],
    ])
  })

  it('are found inside of maps and lists', () => {
    const withRules = (rules: object[]) => ({
      version_data: { versions: { v1: { extended_paths: { go_plugin: rules } } } },
    })
    const path = 'version_data.versions.v1.extended_paths.go_plugin'
    expect(unsupportedIn(withRules([{ path: '/a', method: 'GET' }]))).toEqual([[path, 'rejected']])
    expect(unsupportedIn(withRules([{ path: '/a', method: 'GET', disabled: true }]))).toEqual([])
  })

  it('of an extension include members that nothing reads', () => {
    const extension = {
      server: { listenPath: { value: '/a/' }, listenpath: 1 },
      middleware: { global: { cor: {} }, operations: { getPet: { cache: { enabled: true }, caching: {} } } },
    }
    expect(unknownInExtension(extension).map(({ path }) => path)).toEqual([
      ['server', 'listenpath'],
      ['middleware', 'global', 'cor'],
      ['middleware', 'operations', 'getPet', 'caching'],
    ])
  })
})
