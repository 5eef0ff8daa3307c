/**
 * The runs and mutants of stores that need the batch endpoint and the OAuth server, on the memory store. The tests of
 * adapters have those on LMDB and Redis.
 */
import { readFileSync } from 'node:fs'
import { memoryHarness, showReport, storeMutants, storeProperties } from '@turnpike/testkit'
import { storeMutantsSuite } from '@turnpike/testkit/suites/store-mutants-suite'
import { expect, it } from 'vitest'
import { managementUnderTest as management } from '../src/testing/management-under-test.ts'

const found = new URL('../../../fixtures/store-mutants.json', import.meta.url)

/** Those that `management` adds. */
function added<T extends { readonly name: string }>(
  make: (options: { management?: typeof management }) => readonly T[],
) {
  const without = new Set(make({}).map(({ name }) => name))
  return make({ management }).filter(({ name }) => !without.has(name))
}

it.each(added((options) => storeProperties(memoryHarness, options)))(
  'property $property: $name',
  async ({ name, run }) => {
    const report = await run({ requests: 2000, cases: 10 })
    expect(report.holds, showReport(report, name)).toBe(true)
  },
)

storeMutantsSuite(
  'memory',
  added((options) => storeMutants(memoryHarness, options)),
  JSON.parse(readFileSync(found, 'utf8')),
)
