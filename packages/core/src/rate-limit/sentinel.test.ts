import { describe, expect, it } from 'vitest'
import { decideSentinel, freshSentinel } from './sentinel.ts'

describe('the sentinel', () => {
  it('allows the rate, then blocks for a whole period from the last allowed request', () => {
    const state = freshSentinel()
    const consume = (now: number) => decideSentinel(state, now, 2, 10_000, 1)
    expect(consume(0)).toEqual({ allowed: true, remaining: 0, resetAt: 0 })
    expect(consume(9000)).toEqual({ allowed: true, remaining: 0, resetAt: 19_000 })
    expect(consume(18_999)).toEqual({ allowed: false, remaining: 0, resetAt: 19_000 })
  })

  it('does not extend a block that is in force', () => {
    const state = freshSentinel()
    const consume = (now: number) => decideSentinel(state, now, 1, 2000, 1).allowed
    expect([consume(0), consume(1300), consume(2300), consume(2400)]).toEqual([true, false, true, false])
  })

  it('blocks a client that kept calling again after one request', () => {
    const state = freshSentinel()
    const consume = (now: number) => decideSentinel(state, now, 3, 2000, 1).allowed
    for (let i = 0; i < 3; i += 1) expect(consume(0)).toBe(true)
    for (let i = 0; i < 5; i += 1) expect(consume(1500)).toBe(false)
    expect([consume(2000), consume(2001)]).toEqual([true, false])
  })

  it('allows one request at a rate below one', () => {
    const state = freshSentinel()
    expect(decideSentinel(state, 0, 0, 2000, 1).allowed).toBe(true)
    expect(decideSentinel(state, 1, 0, 2000, 1).allowed).toBe(false)
  })
})
