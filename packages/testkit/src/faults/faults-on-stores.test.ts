import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { memoryLab } from '../laws/store-lab.ts'
import { storeFaultsSuite } from '../suites/store-faults-suite.ts'
import { faultsOnStore } from './faults-on-stores.ts'
import type { FoundFault } from './found-fault.ts'
import { storeFaultsPage } from './store-faults-page.ts'

const root = join(import.meta.dirname, '../../../..')
const found: readonly FoundFault[] = JSON.parse(readFileSync(join(root, 'fixtures/planted-store-faults.json'), 'utf8'))

storeFaultsSuite('memory', faultsOnStore(memoryLab), found)

describe('the page of faults planted into stores', () => {
  it('lists those of fixtures/planted-store-faults.json; node scripts/store-faults-page.mjs writes both', () => {
    expect(readFileSync(join(root, 'docs/verification-store-faults.md'), 'utf8')).toBe(storeFaultsPage(found))
  })
  it('has one of each law on LMDB and on Redis', () => {
    const laws = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17, 18, 19, 20]
    for (const [store, numbers] of [
      ['LMDB', laws],
      ['Redis', [...laws, 13]],
    ] as const) {
      const caught = found
        .filter(({ name }) => name.startsWith(`${store}: `))
        .map(({ law }) => Number.parseInt(law, 10))
      expect(new Set(caught)).toEqual(new Set(numbers))
    }
  })
})
