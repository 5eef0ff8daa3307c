import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { capacityPage, planOf } from './page.mjs'

const results = JSON.parse(readFileSync(new URL('../../benchmarks/capacity.json', import.meta.url), 'utf8'))

it('the page is up to date: node scripts/capacity-page.mjs', () => {
  const page = readFileSync(new URL('../../docs/capacity.md', import.meta.url), 'utf8')
  expect(page).toBe(capacityPage(results))
  expect(page).not.toMatch(/NaN|undefined|Infinity/)
})

it('the simulated cluster kept its limits, and all nodes reloaded', () => {
  const { nodes, keys, keysOverLimit, wronglyRejected, unanswered, reloadLastMs } = results.simulation.values
  expect([nodes, keys, keysOverLimit, wronglyRejected, unanswered]).toEqual([100, 1_000_000, 0, 0, 0])
  expect(reloadLastMs).toBeLessThan(5_000)
})

it('half of the load needs about half of the cores', () => {
  const [whole, half] = [planOf(results).plan, planOf(results, { requestsPerSecond: 500_000 }).plan]
  expect(Math.abs(half.cores - whole.cores / 2)).toBeLessThanOrEqual(1)
})
