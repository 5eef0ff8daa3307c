import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { batchLatencyPage, pictures } from './page.mjs'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const result = JSON.parse(read('benchmarks/batch-latency.json'))

it('the page and its pictures are up to date: node scripts/batch-latency-page.mjs', () => {
  const page = read('docs/batch-latency.md')
  expect(page).toBe(batchLatencyPage(result))
  expect(page).not.toMatch(/NaN|undefined|Infinity/)
  for (const [file, svg] of Object.entries(pictures(result))) expect(read(`docs/pictures/${file}`)).toBe(svg)
})

it('has every size and latency, at once and in order', () => {
  const tags: { order: string; items: number; upstreamMs: number }[] = result.rows.map(({ tags }: never) => tags)
  for (const order of ['at once', 'in order']) {
    for (const upstreamMs of [1, 10, 100]) {
      const sizes = tags.filter((one) => one.order === order && one.upstreamMs === upstreamMs).map(({ items }) => items)
      expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([1, 1000])
    }
  }
})
