import { describe, expect, it } from 'vitest'
import type { RateLimit } from '../ports/rate-limit.ts'
import { decideRate, freshRate } from './decide-rate.ts'

const limit: RateLimit = {
  algorithm: 'rolling',
  rate: 5,
  per: 10,
  smoothing: { threshold: 2, trigger: 0.5, step: 2, delay: 1 },
  oneLess: false,
}

describe('smoothing', () => {
  it('starts at the threshold', () => {
    const counter = freshRate('rolling')
    expect([0, 1, 2].map((now) => decideRate(counter, now, limit, 1).allowed)).toEqual([true, true, false])
  })

  it('rises by one step when the load approaches it, at most once per delay and never above the rate', () => {
    const counter = freshRate('rolling')
    for (const now of [0, 1, 2]) decideRate(counter, now, limit, 1)
    const raised = decideRate(counter, 1000, limit, 1)
    expect(raised).toMatchObject({ allowed: true, allowanceMoved: 'up', remaining: 0 })
    expect(decideRate(counter, 1001, limit, 1)).toEqual({ allowed: false, remaining: 0, resetAt: expect.any(Number) })
    const top = decideRate(counter, 2001, limit, 1)
    expect(top.allowanceMoved).toBe('up')
    expect(decideRate(counter, 3002, limit, 1).allowanceMoved).toBeUndefined()
  })

  it('falls by one step when the load is low, and not below the threshold', () => {
    const counter = freshRate('rolling')
    for (const now of [0, 1, 2, 1000]) decideRate(counter, now, limit, 1)
    expect(decideRate(counter, 60_000, limit, 1)).toMatchObject({ allowanceMoved: 'down', remaining: 1 })
    expect(decideRate(counter, 90_000, limit, 1).allowanceMoved).toBeUndefined()
  })

  it('does not change with amount 0', () => {
    const counter = freshRate('rolling')
    for (const now of [0, 1, 2]) decideRate(counter, now, limit, 1)
    expect(decideRate(counter, 1000, limit, 0)).toMatchObject({ allowed: false })
    expect(decideRate(counter, 1000, limit, 1)).toMatchObject({ allowed: true, allowanceMoved: 'up' })
  })

  it('decides when the sentinel blocks', () => {
    const counter = freshRate('sentinel')
    const sentinel: RateLimit = { ...limit, algorithm: 'sentinel' }
    expect([0, 1, 2].map((now) => decideRate(counter, now, sentinel, 1).allowed)).toEqual([true, true, false])
  })
})
