import { expect, it } from 'vitest'
import { storeSuiteMutants } from './store-suite-mutants.ts'

it.each(storeSuiteMutants.map((fault) => [fault.name, fault] as const))(
  'the store suite catches: %s',
  async (_, fault) => {
    const failed: string[] = []
    for (const { name, run } of fault.cases) {
      const underTest = fault.make()
      await run(underTest).catch(() => failed.push(name))
      await underTest.cleanup()
    }
    expect(failed).not.toEqual([])
  },
)
