import { describe, expect, it } from 'vitest'
import { keyMutants, slowKeys } from '../mutants/key-mutants.ts'
import { expectProperty } from './property.ts'
import { keysProperty } from './property-17-keys.ts'
import { engineKeys } from './subjects/keys-subject.ts'

const subjects = [
  engineKeys('plain keys'),
  engineKeys('plain keys in base64', { hashFunction: 'murmur64' }),
  engineKeys('hashed keys, recorded murmur32', { hashKeys: true }),
  engineKeys('hashed keys, sha256', { hashKeys: true, hashFunction: 'sha256' }),
  slowKeys,
]
const requests = process.env.CI === undefined ? 3_000 : 30_000

describe(`property 17, ${keysProperty.statement}`, () => {
  it.each(subjects.map((subject) => [subject.name, subject] as const))('%s', async (_, subject) => {
    await expectProperty(keysProperty, subject, { requests })
  })
})

describe('every seeded bug of keys is detected', () => {
  it.each(keyMutants.map((mutant) => [mutant.name, mutant] as const))('%s', async (_, mutant) => {
    const report = await mutant.run({ requests: 10_000, seed: 1 })
    expect(report.holds, `property ${mutant.property}`).toBe(false)
    if (!report.holds) expect(report.trace.split('\n').length).toBeLessThan(12)
  })
})
