import { type Problem, policyShape, sessionShape } from '@turnpike/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wirePolicies, wireSessions } from './sessions.ts'
import { decodeTrace, stepCodes } from './traces.ts'

describe('drawn documents', () => {
  it('are sessions and policies that read without a problem', () => {
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

describe('drawn traces', () => {
  const shape = { windowMs: 1000, most: 3 }

  it('go forward, unless the clock may step back', () => {
    fc.assert(
      fc.property(stepCodes(), (codes) => {
        const times = decodeTrace(codes, 5000, shape).map(({ at }) => at)
        expect(times).toEqual([...times].sort((a, b) => a - b))
      }),
    )
  })

  it('look for trouble: bursts over the limit, and requests at both sides of an edge', () => {
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
