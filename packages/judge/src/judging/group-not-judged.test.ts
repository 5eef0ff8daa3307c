import { expect, it } from 'vitest'
import { groupNotJudged } from './group-not-judged.ts'

it('joins traces of one attack with one reason, and names the longest', () => {
  const budget = (takes: number, left: number) => ({
    what: 'drawn',
    why: `it takes ${takes} s, and ${left} s are left; raise --seconds`,
    seconds: takes,
  })
  const rate = { what: 'crowd', why: 'it sends 40 requests at once, and --max-rate is 20' }
  expect(
    groupNotJudged([budget(2, 1.5), rate, budget(12, 1.2), { ...rate, what: 'edge-pair' }, budget(3, 1), rate]),
  ).toEqual([
    { what: 'drawn (3 traces, the longest over 12.0 s)', why: 'it takes 12 s, and 1.2 s are left; raise --seconds' },
    { what: 'crowd (2 traces)', why: rate.why },
    { what: 'edge-pair', why: rate.why },
  ])
  expect(groupNotJudged([budget(2, 1)]).map(({ what }) => what)).toEqual(['drawn over 2.0 s'])
})
