/** Checks that the properties detect every mutant of a store, starting with the seed and path that first detected it. */
import { describe, expect, it } from 'vitest'
import type { PropertyRun } from '../properties/property.ts'

/** The seed and path that first detected a mutant. */
export interface KnownDetection {
  /** Name of the mutant. */
  readonly name: string
  readonly seed: number
  readonly path: string
}

/** Declares the suite. Mutants that `found` does not list are searched for with seed 1. */
export function storeMutantsSuite(
  store: string,
  mutants: readonly PropertyRun[],
  found: readonly KnownDetection[] = [],
): void {
  describe(`mutants of a store: ${store}`, () => {
    const each = mutants.map((mutant) => [`${mutant.name}, by property ${mutant.property}`, mutant] as const)
    it.each(each)('%s', { timeout: 600_000 }, async (_, mutant) => {
      const known = found.find(({ name }) => name === mutant.name)
      const { seed, path } = known ?? { seed: 1, path: undefined }
      const replayed = await mutant.run({ requests: 1, seed, path, shrink: false })
      // A race that occurred once may not occur in the replay. Then the suite searches for it.
      const report = replayed.holds ? await mutant.run({ requests: 10_000, seed, shrink: false }) : replayed
      expect(report.holds, `property ${mutant.property} does not detect it`).toBe(false)
    })
  })
}
