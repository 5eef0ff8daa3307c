/**
 * Every fault that can be planted into a store, as a suite: each is caught again from the seed that found it first. A
 * store is trusted with the properties once they catch these on it.
 */
import { describe, expect, it } from 'vitest'
import type { FoundMutant } from '../mutants/found-mutant.ts'
import type { Mutant } from '../mutants/mutant.ts'

/** Declares the suite; a fault that no seed is known of is looked for from the first one. */
export function storeMutantsSuite(store: string, faults: readonly Mutant[], found: readonly FoundMutant[] = []): void {
  describe(`planted faults on a store: ${store}`, () => {
    const each = faults.map((fault) => [`${fault.name}, by property ${fault.property}`, fault] as const)
    it.each(each)('%s', { timeout: 600_000 }, async (_, fault) => {
      const known = found.find(({ name }) => name === fault.name)
      const { seed, path } = known ?? { seed: 1, path: undefined }
      const again = await fault.run({ requests: 1, seed, path, shrink: false })
      // What came together once need not come together again: then it is looked for.
      const report = again.holds ? await fault.run({ requests: 10_000, seed, shrink: false }) : again
      expect(report.holds, `property ${fault.property} does not see it`).toBe(false)
    })
  })
}
