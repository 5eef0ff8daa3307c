import { expect, it } from 'vitest'
import { storeSuiteMutants } from './store-suite-mutants.ts'

it.each(storeSuiteMutants.map((mutant) => [mutant.name, mutant] as const))(
  'the store suite catches: %s',
  async (_, mutant) => {
    const failed: string[] = []
    for (const [name, run] of Object.entries(mutant.cases)) {
      const underTest = mutant.make()
      await run(underTest).catch(() => failed.push(name))
      await underTest.cleanup()
    }
    expect(failed).not.toEqual([])
  },
)
