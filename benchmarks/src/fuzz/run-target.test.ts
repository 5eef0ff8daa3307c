import { describe, expect, it } from 'vitest'
import type { FuzzTarget } from './fuzz-target.ts'
import { type CaseRange, type RunOptions, runTarget } from './run-target.ts'

/** A target that adds up its seeds. The seeded bug: it fails if the sum has this remainder. */
function summing(isBroken: (sum: number, seed: number) => boolean, keepsState = true): FuzzTarget {
  return {
    name: 'sum',
    weight: 1,
    keepsState,
    async open() {
      let sum = 0
      return {
        run(seed) {
          sum += seed
          if (isBroken(sum, seed)) throw new Error('the sum is wrong')
        },
        close: async () => undefined,
      }
    },
  }
}

function optionsFor({ first, count }: CaseRange, started: CaseRange[] = []): RunOptions {
  return {
    firstSeed: first,
    goesOn: (cases) => cases < count,
    onCase: (range) => started.push(range),
    runCase: async (run, seed) => run(seed),
  }
}

describe('the fuzzer', () => {
  it('prints cases that reproduce a finding that needs the state of earlier ones', async () => {
    const target = summing((sum) => sum > 22_000)
    const started: CaseRange[] = []
    const { cases, finding } = await runTarget(target, optionsFor({ first: 1, count: 1000 }, started))
    expect(cases).toBe(290)
    expect(finding?.range).toEqual({ first: 201, count: 90 })
    // Crashes and endless cases end the process, so the last started range reproduces them.
    expect(started).toContainEqual({ first: 201, count: 90 })
    const again = await runTarget(target, optionsFor(finding?.range as CaseRange))
    expect(again).toMatchObject({ cases: 90, finding: { range: finding?.range } })
  })

  it('prints a single seed if that is enough', async () => {
    const { finding } = await runTarget(
      summing((_, seed) => seed === 357),
      optionsFor({ first: 1, count: 1000 }),
    )
    expect(finding?.range).toEqual({ first: 357, count: 1 })
  })

  it('does not open targets without state again', async () => {
    const { cases, finding } = await runTarget(
      summing((_, seed) => seed === 357, false),
      optionsFor({ first: 1, count: 1000 }),
    )
    expect([cases, finding?.range]).toEqual([357, { first: 357, count: 1 }])
  })

  it('finds nothing in a target without a bug', async () => {
    expect(
      await runTarget(
        summing(() => false),
        optionsFor({ first: 5, count: 250 }),
      ),
    ).toEqual({
      cases: 250,
      finding: undefined,
    })
  })
})
