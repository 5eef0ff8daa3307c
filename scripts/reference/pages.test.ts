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
