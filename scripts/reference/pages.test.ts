/** The pages of docs/reference/generated show the current source code. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { generatedFolder, referencePages } from './pages.mjs'

const pages: Record<string, string> = await referencePages(
  (file: string) => import(/* @vite-ignore */ join(import.meta.dirname, `../../packages/${file}.ts`)),
)

it.each(Object.entries(pages))('the page %s is current', (name, text) => {
  const written = readFileSync(join(generatedFolder, name), 'utf8')
  expect(written === text, 'outdated: npm run build && node script./pages.mjs').toBe(true)
})

it('the folder has no other pages', () => {
  expect(readdirSync(generatedFolder).toSorted()).toEqual(Object.keys(pages).toSorted())
})

it.each(['fields.md', 'configuration.md'])('every field on the page %s has a meaning', (name) => {
  const rows = (pages[name] ?? '').split('\n').filter((line) => line.startsWith('| `'))
  expect(rows.length).toBeGreaterThan(200)
  expect(rows.filter((row) => row.split('|').at(-2)?.trim() === '')).toEqual([])
})

it.each([
  ['definition', 'core/src/definition/classic', 'classicShape', 'definition-descriptions', 'definitionDescriptions'],
  ['key', 'core/src/ports/session', 'sessionShape', 'session-descriptions', 'sessionDescriptions'],
  ['policy', 'core/src/session/policies/policy', 'policyShape', 'session-descriptions', 'policyDescriptions'],
  [
    'extension',
    'core/src/definition/openapi/extension-shape/extension-shape',
    'extensionShape',
    'extension-descriptions',
    'extensionDescriptions',
  ],
  ['configuration', 'turnpike/src/config/config-shape', 'configShape', '', 'configDescriptions'],
])('every description of a %s belongs to a field', async (_, shapeFile, shape, file, table) => {
  const importFile = (path: string) => import(/* @vite-ignore */ join(import.meta.dirname, `../../packages/${path}.ts`))
  const tableFile = file === '' ? 'turnpike/src/config/config-descriptions' : `core/src/definition/descriptions/${file}`
  const descriptions: object = (await importFile(tableFile))[table]
  const known = new Set(pathsOf((await importFile(shapeFile))[shape].schema, ''))
  expect(Object.keys(descriptions).filter((path) => !known.has(path))).toEqual([])
})

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
}

/** The paths of all parts of a schema; lists add no level. */
function pathsOf({ properties = {}, items, additionalProperties: more }: Schema, path: string): string[] {
  const within = (name: string) => (path === '' ? name : `${path}.${name}`)
  return [
    path,
    ...Object.entries(properties).flatMap(([name, inner]) => pathsOf(inner, within(name))),
    ...(items === undefined ? [] : pathsOf(items, path)),
    ...(typeof more === 'object' ? pathsOf(more, within('*')) : []),
  ]
}
