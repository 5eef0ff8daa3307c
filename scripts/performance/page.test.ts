import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { beforeAfterFile, performancePage } from './page.mjs'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const page = read('docs/performance.md')
const beforeAfter = JSON.parse(read(beforeAfterFile))

it('the page is as its script writes it: node scripts/before-after-page.mjs', () => {
  expect(performancePage(page, [], beforeAfter)).toBe(page)
})

it('new results replace the rows of their part, and no others', () => {
  const row = { part: 'Virtual time', name: 'a new row', measured: '1 s', budget: '≤ 2 s', verdict: 'kept', note: '' }
  const result = { at: '2030-01-01T00:00:00.000Z', quick: false, rounds: 5, machine: beforeAfter.machine, rows: [row] }
  const next = performancePage(page, [result], beforeAfter)
  expect(next).toContain('## Virtual time\nMeasured on 2030-01-01, 5 rounds, on ')
  expect(next.match(/\| a new row \| 1 s \| ≤ 2 s \| kept \|/g)).toHaveLength(2)
  expect(next).not.toContain('| 1,000,000 virtual requests, key')
  expect(next).toContain('## Latency\n')
})
