import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FoundFault, showReport } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { everyFault, everySoundRun } from './every-fault.ts'
import { faultsPage } from './faults-page.ts'

const root = join(import.meta.dirname, '../../../..')
const found: readonly FoundFault[] = JSON.parse(readFileSync(join(root, 'fixtures/planted-faults.json'), 'utf8'))
const foundOf = new Map(found.map((fault) => [fault.name, fault]))

describe('planted faults', () => {
  it('are sixty at least, each with a name of its own', () => {
    expect(everyFault.length).toBeGreaterThanOrEqual(60)
    expect(new Set(everyFault.map(({ name }) => name)).size).toBe(everyFault.length)
  })
  it('are the ones that fixtures/planted-faults.json keeps; node scripts/faults-page.mjs writes it', () => {
    expect(found.map(({ name, law }) => [name, law])).toEqual(everyFault.map(({ name, law }) => [name, law]))
  })
  it('are the ones that docs/verification-faults.md lists', () => {
    expect(readFileSync(join(root, 'docs/verification-faults.md'), 'utf8')).toBe(faultsPage(found))
  })
})

describe('each is caught again from where it was found', () => {
  it.each(everyFault)('$name, by law $law', { timeout: 120_000 }, async (fault) => {
    const { seed, path } = foundOf.get(fault.name) ?? { seed: 1, path: '' }
    const report = await fault.run({ requests: 1, seed, path, shrink: false })
    expect(report.holds, showReport(report, fault.name)).toBe(false)
  })
})

describe('without a fault the laws hold with the same seeds', () => {
  it.each(everySoundRun)('law $law: $name', { timeout: 240_000 }, async (sound) => {
    for (const seed of new Set(found.filter(({ law }) => law === sound.law).map((fault) => fault.seed))) {
      const report = await sound.run({ requests: 1, seed })
      expect(report.holds, showReport(report, sound.name)).toBe(true)
    }
  })
})
