import { describe, expect, it } from 'vitest'
import { spentOnceFaults } from '../faults/spent-once-faults.ts'
import { expectLaw } from './law.ts'
import { spentOnceLaw } from './law-18-spent-once.ts'
import { engineCodes, engineRefreshTokens, slowRecords } from './oauth-subjects.ts'

const subjects = [
  engineCodes('authorisation codes'),
  engineCodes('authorisation codes, slow store', slowRecords),
  engineRefreshTokens('refresh tokens'),
  engineRefreshTokens('refresh tokens, slow store', slowRecords),
]
const requests = process.env.CI === undefined ? 500 : 3_000

describe(`law 18, ${spentOnceLaw.statement}`, () => {
  it.each(subjects.map((subject) => [subject.name, subject] as const))('%s', async (_, subject) => {
    await expectLaw(spentOnceLaw, subject, { requests })
  })
})

describe('every planted fault of things that are spent once is caught', () => {
  it.each(spentOnceFaults.map((fault) => [fault.name, fault] as const))('%s', async (_, fault) => {
    const report = await fault.run({ requests: 3_000, seed: 1 })
    expect(report.holds, `law ${fault.law}`).toBe(false)
    if (!report.holds) expect(report.trace.split('\n').length).toBeLessThan(5)
  })
})
