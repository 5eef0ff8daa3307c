import {
  engineCodes,
  engineRefreshTokens,
  expectProperty,
  singleUseMutants,
  singleUseProperty,
  slowRecords,
} from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { managementUnderTest } from '../testing/management-under-test.ts'

const { makeOAuthServer } = managementUnderTest
const subjects = [
  engineCodes('authorization codes', makeOAuthServer),
  engineCodes('authorization codes, slow store', makeOAuthServer, slowRecords),
  engineRefreshTokens('refresh tokens', makeOAuthServer),
  engineRefreshTokens('refresh tokens, slow store', makeOAuthServer, slowRecords),
]
const requests = process.env.CI === undefined ? 500 : 3_000

describe(`property 18, ${singleUseProperty.statement}`, () => {
  it.each(subjects.map((subject) => [subject.name, subject] as const))('%s', async (_, subject) => {
    await expectProperty(singleUseProperty, subject, { requests })
  })
})

describe('every mutant of single-use tokens is detected', () => {
  it.each(singleUseMutants(makeOAuthServer).map((mutant) => [mutant.name, mutant] as const))(
    '%s',
    async (_, mutant) => {
      const report = await mutant.run({ requests: 3_000, seed: 1 })
      expect(report.holds, `property ${mutant.property}`).toBe(false)
      if (!report.holds) expect(report.trace.split('\n').length).toBeLessThan(5)
    },
  )
})
