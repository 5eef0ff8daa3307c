import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CountWindow } from './count-window.ts'

describe('the count of the last ten seconds', () => {
  it('equals the number of calls in the last ten slices of one second', () => {
    const calls = fc.array(fc.tuple(fc.nat({ max: 4000 }), fc.boolean()), { maxLength: 60 })
    fc.assert(
      fc.property(calls, fc.nat({ max: 15_000 }), (steps, wait) => {
        const window = new CountWindow()
        const all: { second: number; failed: boolean }[] = []
        let now = 1_700_000_000_000
        for (const [pause, failed] of steps) {
          now += pause
          window.add(failed, now)
          all.push({ second: Math.floor(now / 1000), failed })
        }
        now += wait
        const recent = all.filter(({ second }) => second > Math.floor(now / 1000) - 10)
        expect(window.failures(now)).toBe(recent.filter(({ failed }) => failed).length)
        expect(window.successes(now)).toBe(recent.filter(({ failed }) => !failed).length)
      }),
    )
  })
})
