import type { Problem } from '@turnpike/core/lib'
import { sessionShape } from '@turnpike/core/ports'
import { policyShape } from '@turnpike/core/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wirePolicies, wireSessions } from './sessions.ts'
import { decodeTrace, stepCodes } from './traces.ts'

describe('generated documents', () => {
  it('are sessions and policies that are read without a problem', () => {
    fc.assert(
      fc.property(wireSessions, wirePolicies, (session, policy) => {
        const problems: Problem[] = []
        sessionShape.read(session, [], problems)
        policyShape.read(policy, [], problems)
        expect(problems).toEqual([])
      }),
    )
  })
})

describe('generated traces', () => {
  const shape = { windowMs: 1000, limit: 3 }

  it('never go back in time unless clockSteps is set', () => {
    fc.assert(
      fc.property(stepCodes(), (codes) => {
        const times = decodeTrace(codes, 5000, shape).map(({ at }) => at)
        expect(times).toEqual([...times].sort((a, b) => a - b))
      }),
    )
  })

  it('contain bursts over the limit and requests on both sides of window edges', () => {
    const drawn = fc.sample(stepCodes(), { numRuns: 50, seed: 1 }).map((codes) => decodeTrace(codes, 5000, shape))
    const times = new Map<number, number>()
    for (const { at } of drawn.flat()) times.set(at % 1000, (times.get(at % 1000) ?? 0) + 1)
    expect(times.get(0)).toBeGreaterThan(50)
    expect(times.get(999)).toBeGreaterThan(50)
    const steps = drawn.flatMap((trace) => trace.map(({ at }) => at).filter((at, i) => at === trace[i + 3]?.at))
    expect(steps.length).toBeGreaterThan(50)
    const back = fc.sample(stepCodes(), { numRuns: 50, seed: 1 }).some((codes) => {
      const trace = decodeTrace(codes, 5_000_000, { ...shape, clockSteps: true })
      return trace.some(({ at }, i) => at < (trace[i - 1]?.at ?? 0))
    })
    expect(back).toBe(true)
  })
})
