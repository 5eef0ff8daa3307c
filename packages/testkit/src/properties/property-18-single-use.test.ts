import { describe, expect, it } from 'vitest'
import { singleUseMutants } from '../mutants/single-use-mutants.ts'
import { expectProperty } from './property.ts'
import { singleUseProperty } from './property-18-single-use.ts'
import { engineCodes, engineRefreshTokens, slowRecords } from './subjects/oauth-subjects.ts'

const subjects = [
  engineCodes('authorization codes'),
  engineCodes('authorization codes, slow store', slowRecords),
  engineRefreshTokens('refresh tokens'),
  engineRefreshTokens('refresh tokens, slow store', slowRecords),
]
const requests = process.env.CI === undefined ? 500 : 3_000

describe(`property 18, ${singleUseProperty.statement}`, () => {
  it.each(subjects.map((subject) => [subject.name, subject] as const))('%s', async (_, subject) => {
    await expectProperty(singleUseProperty, subject, { requests })
  })
})

describe('every mutant of single-use tokens is detected', () => {
  it.each(singleUseMutants.map((mutant) => [mutant.name, mutant] as const))('%s', async (_, mutant) => {
    const report = await mutant.run({ requests: 3_000, seed: 1 })
    expect(report.holds, `property ${mutant.property}`).toBe(false)
    if (!report.holds) expect(report.trace.split('\n').length).toBeLessThan(5)
  })
})
