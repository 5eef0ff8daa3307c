import { describe, expect, it } from 'vitest'
import { keyFaults, slowKeys } from '../faults/key-faults.ts'
import { engineKeys } from './keys-subject.ts'
import { expectLaw } from './law.ts'
import { keysLaw } from './law-17-keys.ts'

const subjects = [
  engineKeys('plain keys'),
  engineKeys('plain keys in base64', { hashFunction: 'murmur64' }),
  engineKeys('hashed keys, recorded murmur32', { hashKeys: true }),
  engineKeys('hashed keys, sha256', { hashKeys: true, hashFunction: 'sha256' }),
  slowKeys,
]
const requests = process.env.CI === undefined ? 3_000 : 30_000

describe(`law 17, ${keysLaw.statement}`, () => {
  it.each(subjects.map((subject) => [subject.name, subject] as const))('%s', async (_, subject) => {
    await expectLaw(keysLaw, subject, { requests })
  })
})

describe('every planted fault of keys is caught', () => {
  it.each(keyFaults.map((fault) => [fault.name, fault] as const))('%s', async (_, fault) => {
    const report = await fault.run({ requests: 10_000, seed: 1 })
    expect(report.holds, `law ${fault.law}`).toBe(false)
    if (!report.holds) expect(report.trace.split('\n').length).toBeLessThan(12)
  })
})
