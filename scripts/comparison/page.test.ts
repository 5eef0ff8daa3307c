import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { comparisonPage } from './page.mjs'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

it('the page is up to date: node scripts/comparison-page.mjs', () => {
  const page = read('docs/comparison.md')
  expect(page).toBe(comparisonPage(JSON.parse(read('benchmarks/comparison.json'))))
  expect(page).not.toMatch(/NaN|undefined|Infinity/)
})

it('proxies that were not installed are named, and lack rows', () => {
  const result = JSON.parse(read('benchmarks/comparison.json'))
  const without = result.rows.filter(({ tags }: { tags: { proxy: string } }) => tags.proxy !== 'HAProxy')
  const missing = { name: 'HAProxy', measured: 'not installed', tags: { proxy: 'HAProxy', version: '' } }
  const page = comparisonPage({ ...result, rows: [...without, missing] })
  expect(page).toMatch(/^Not installed there, so not measured: .*HAProxy.*\.$/m)
  expect(page).not.toMatch(/^\| HAProxy \d/m)
})
