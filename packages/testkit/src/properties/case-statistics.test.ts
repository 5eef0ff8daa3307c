import { describe, expect, it } from 'vitest'
import { patchLimit } from '../mutants/mutant.ts'
import { caseStatistics, showStatistics } from './case-statistics.ts'
import { checkProperty, type PropertyDefinition } from './property.ts'
import { rollingLogProperty } from './property-01-rolling-log.ts'
import { flowProperty } from './property-04-flow.ts'
import { nonInterferenceProperty } from './property-08-non-interference.ts'
import { timeProperty } from './property-09-time.ts'
import { quotaConservationProperty } from './property-11-quota-conservation.ts'
import { batchProperty } from './property-15-batch.ts'
import { keysProperty } from './property-17-keys.ts'
import { compatibleRate } from './subjects/compatible-rates.ts'

/** Shapes that only the cases of one property have. */
const rare = ['several keys', 'a clock that steps back']

describe('the generators draw every shape', () => {
  it.each<[PropertyDefinition<never, never>, readonly string[]]>([
    [rollingLogProperty as never, rare],
    [nonInterferenceProperty as never, ['a clock that steps back']],
    [timeProperty as never, []],
    [flowProperty as never, []],
    [quotaConservationProperty as never, []],
    [batchProperty as never, []],
    [keysProperty as never, []],
  ])('$name', (property, absent) => {
    const statistics = caseStatistics(property, { cases: 1000, seed: 1 })
    const seldom = statistics.shapes.filter(({ share }) => share < 0.02).map(({ shape }) => shape)
    expect(seldom.toSorted(), showStatistics(statistics)).toEqual(absent.toSorted())
  })
})

it('prints the share of each shape, and repeats with the seed', () => {
  const statistics = caseStatistics(rollingLogProperty, { cases: 200, seed: 7 })
  expect(caseStatistics(rollingLogProperty, { cases: 200, seed: statistics.seed })).toEqual(statistics)
  expect(showStatistics(statistics)).toMatch(
    /^property 1, rolling log: 200 cases with \d+ requests, seed 7\n( +\d+\.\d % {2}\S.*\n?){12}$/,
  )
})

it('the seed and the path of a report repeat its shrunk case, and nothing else', async () => {
  const subject = patchLimit(compatibleRate('rolling'), ({ rate, per }) => ({ rate: rate + 1, per }))
  const found = await checkProperty(rollingLogProperty, subject, { requests: 50_000, seed: 3 })
  if (found.holds) throw new Error('the bug was not found')
  const { seed, path } = found
  const repeated = await checkProperty(rollingLogProperty, subject, { seed, path })
  expect(repeated).toEqual({ ...found, requests: repeated.requests })
  expect(repeated.requests).toBe(found.trace.split('\n').length - 2)
  const right = await checkProperty(rollingLogProperty, compatibleRate('rolling'), { seed, path })
  expect(right).toMatchObject({ holds: true })
})
