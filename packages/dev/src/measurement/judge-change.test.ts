import { describe, expect, it } from 'vitest'
import { ratioInterval, type Series } from './bootstrap.ts'
import { type JudgeOptions, judgeChange } from './judge-change.ts'

const exactly: JudgeOptions = { tolerance: 0.05, resolution: 0 }
const steady = [9.9, 10, 10.1, 10, 9.95]
const series = (rounds: readonly number[][], calibration?: readonly number[][]): Series =>
  calibration === undefined ? { rounds } : { rounds, calibration }
const times = (values: readonly number[], factor: number) => values.map((value) => value * factor)
const verdict = (before: readonly number[], now: readonly number[], options = exactly) =>
  judgeChange(series([[...before]]), series([[...now]]), options).verdict

describe('the interval of a ratio', () => {
  it('is the ratio itself if no round differs', () => {
    expect(ratioInterval(series([[2, 2, 2]]), series([[3, 3, 3]]))).toEqual({ ratio: 1.5, low: 1.5, high: 1.5 })
  })

  it('is the same for the same rounds, because the draws have a seed', () => {
    const [before, now] = [series([steady]), series([[8.13, 12.7, 10.2, 11.4, 9.6, 10.9, 8.8]])]
    expect(ratioInterval(before, now)).toEqual(ratioInterval(before, now))
  })

  it('has the limits that the draws of two values have', () => {
    // The median of two draws from 1 and 3 is 1, 2 or 3, with probabilities of 1/4, 1/2 and 1/4.
    expect(ratioInterval(series([[1, 1]]), series([[1, 3]]))).toEqual({ ratio: 2, low: 1, high: 3 })
  })

  it('is wider if processes differ than if the rounds of one process do', () => {
    const within = ratioInterval(series([steady]), series([[8, 8, 8, 12, 12, 12, 10, 10, 10]]))
    const between = ratioInterval(
      series([steady]),
      series([
        [8, 8, 8],
        [12, 12, 12],
        [10, 10, 10],
      ]),
    )
    expect(between.low).toBeLessThanOrEqual(within.low)
    expect(between.high - between.low).toBeGreaterThan(within.high - within.low - 1e-9)
  })

  it('covers the true ratio in about 95 of 100 experiments', () => {
    let state = 7
    const random = () => {
      state = (state * 48271) % 2147483647
      return state / 2147483647
    }
    const normal = () => Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, -6)
    const rounds = () => [Array.from({ length: 15 }, () => 10 + normal())]
    const covered = Array.from({ length: 100 }, () => ratioInterval(series(rounds()), series(rounds()))).filter(
      ({ low, high }) => low <= 1 && high >= 1,
    ).length
    expect(covered / 100).toBeGreaterThan(0.88)
    expect(covered / 100).toBeLessThan(0.99)
  })
})

describe('the verdict of a change', () => {
  it('is slower or faster if the whole interval is beyond the tolerance', () => {
    expect(verdict(steady, times(steady, 1.2))).toBe('slower')
    expect(verdict(steady, times(steady, 0.8))).toBe('faster')
  })

  it('is the same within the tolerance, and where the interval reaches it', () => {
    expect(verdict(steady, times(steady, 1.04))).toBe('same')
    expect(verdict(steady, times([8.5, 10, 11.5, 9, 11], 1.06))).toBe('same')
    expect(verdict(steady, times(steady, 1.2), { tolerance: 0.3, resolution: 0 })).toBe('same')
  })

  it('is the same below the resolution for any ratio', () => {
    expect(verdict([0, 0, 0], [0.09, 0.09, 0.09], { tolerance: 0.05, resolution: 0.1 })).toBe('same')
    expect(verdict([0.02, 0.02, 0.02], [0.3, 0.3, 0.3], { tolerance: 0.05, resolution: 0.1 })).toBe('slower')
  })

  it('is not given if the rounds scatter too much, with the reason', () => {
    const { verdict, reason } = judgeChange(series([[5, 10, 20]]), series([[4, 11, 19]]), exactly)
    expect([verdict, reason]).toEqual([
      'not comparable',
      expect.stringMatching(/^the rounds differ too much .*×\): use/),
    ])
  })

  it('is not given from fewer than three rounds', () => {
    expect(judgeChange(series([[10, 10]]), series([steady]), exactly)).toEqual({
      verdict: 'not comparable',
      reason: 'the earlier result has fewer than 3 rounds of it',
    })
  })

  it('is that of the difference where one value is 0', () => {
    expect(verdict([0, 0, 0], steady)).toBe('slower')
    expect(verdict(steady, [0, 0, 0])).toBe('faster')
  })

  it('does not depend on the speed of the machine, which the calibration shows', () => {
    const before = series([steady], [[100, 100, 100]])
    expect(judgeChange(before, series([times(steady, 2)], [[200, 200, 200]]), exactly).verdict).toBe('same')
    expect(judgeChange(before, series([steady], [[200, 200, 200]]), exactly).verdict).toBe('faster')
  })

  it('uses the calibration of each process for the rounds of that process', () => {
    const before = series([steady, steady], [[100], [100]])
    const now = series([steady, times(steady, 3)], [[100], [300]])
    expect(judgeChange(before, now, exactly)).toMatchObject({ verdict: 'same', interval: { ratio: 1 } })
  })
})
