import { crashProperty, expectProperty, showReport } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { crashSubject } from './crash-subject.ts'
import { loadRedisMock } from './redis-mock.ts'
import { redisMutants } from './redis-mutants.ts'

const Mock = await loadRedisMock()

describe('planted in commands and scripts, each is caught', { timeout: 120_000 }, () => {
  it.each(redisMutants(Mock))('$name, by property $property', async (mutant) => {
    const report = await mutant.run({ requests: 4_000, seed: 2, shrink: false })
    expect(report.holds, showReport(report, mutant.name)).toBe(false)
  })
})

it(
  'without a seeded bug a crash between any two commands leaves no counter without its end',
  { timeout: 120_000 },
  () => expectProperty(crashProperty, crashSubject('the store on a mocked Redis', Mock), { requests: 400 }),
)
