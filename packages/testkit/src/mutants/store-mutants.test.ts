import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { memoryHarness } from '../properties/store-harness.ts'
import { storeMutantsSuite } from '../suites/store-mutants-suite.ts'
import type { FoundMutant } from './mutant.ts'
import { storeMutants } from './store-mutants.ts'
import { storeMutantsPage } from './store-mutants-page.ts'

const root = join(import.meta.dirname, '../../../..')
const found: readonly FoundMutant[] = JSON.parse(readFileSync(join(root, 'fixtures/store-mutants.json'), 'utf8'))

storeMutantsSuite('memory', storeMutants(memoryHarness), found)

describe('the page of store mutants', () => {
  it('lists those of fixtures/store-mutants.json; node scripts/store-mutants-page.mjs writes both', () => {
    expect(readFileSync(join(root, 'docs/verification-store-mutants.md'), 'utf8')).toBe(storeMutantsPage(found))
  })
  it('has one of each property on LMDB and on Redis', () => {
    const properties = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 22]
    for (const [store, numbers] of [
      ['LMDB', properties],
      ['Redis', [...properties, 13]],
    ] as const) {
      const caught = found
        .filter(({ name }) => name.startsWith(`${store}: `))
        .map(({ property }) => Number.parseInt(property, 10))
      expect(new Set(caught)).toEqual(new Set(numbers))
    }
  })
})
