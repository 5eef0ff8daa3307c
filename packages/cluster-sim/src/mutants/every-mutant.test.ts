import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { managementUnderTest } from '@turnpike/mgmt-api/testing'
import { type FoundMutant, mutantsPage, showReport } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { everyMutant, everyPropertyRun } from './every-mutant.ts'

const mutants = everyMutant(managementUnderTest)
const root = join(import.meta.dirname, '../../../..')
const found: readonly FoundMutant[] = JSON.parse(readFileSync(join(root, 'fixtures/mutants.json'), 'utf8'))
const foundOf = new Map(found.map((mutant) => [mutant.name, mutant]))

describe('seeded bugs', () => {
  it('are sixty at least, each with a name of its own', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(60)
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
  })
  it('are the ones that fixtures/mutants.json keeps; node scripts/mutants-page.mjs writes it', () => {
    expect(found.map(({ name, property }) => [name, property])).toEqual(
      mutants.map(({ name, property }) => [name, property]),
    )
  })
  it('are the ones that docs/verification-mutants.md lists', () => {
    expect(readFileSync(join(root, 'docs/verification-mutants.md'), 'utf8')).toBe(mutantsPage(found))
  })
})

describe('each is caught again from where it was found', () => {
  it.each(mutants)('$name, by property $property', { timeout: 120_000 }, async (mutant) => {
    const { seed, path } = foundOf.get(mutant.name) ?? { seed: 1, path: '' }
    const report = await mutant.run({ requests: 1, seed, path, shrink: false })
    expect(report.holds, showReport(report, mutant.name)).toBe(false)
  })
})

describe('without a seeded bug the properties hold with the same seeds', () => {
  it.each(everyPropertyRun(managementUnderTest))('property $property: $name', { timeout: 240_000 }, async (sound) => {
    for (const seed of new Set(
      found.filter(({ property }) => property === sound.property).map((mutant) => mutant.seed),
    )) {
      const report = await sound.run({ requests: 1, seed })
      expect(report.holds, showReport(report, sound.name)).toBe(true)
    }
  })
})
