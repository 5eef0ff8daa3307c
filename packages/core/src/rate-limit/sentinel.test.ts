import { describe, expect, it } from 'vitest'
import { decideSentinel, freshSentinel } from './sentinel.ts'

describe('the sentinel', () => {
  it('lets the rate pass and then closes for a whole period from the last allowed request', () => {
    const state = freshSentinel()
    const ask = (now: number) => decideSentinel(state, now, 2, 10_000, 1)
    expect(ask(0)).toEqual({ allowed: true, remaining: 0, resetAt: 0 })
    expect(ask(9000)).toEqual({ allowed: true, remaining: 0, resetAt: 19_000 })
    expect(ask(18_999)).toEqual({ allowed: false, remaining: 0, resetAt: 19_000 })
  })

  it('does not prolong a standing mark', () => {
    const state = freshSentinel()
    const ask = (now: number) => decideSentinel(state, now, 1, 2000, 1).allowed
    expect([ask(0), ask(1300), ask(2300), ask(2400)]).toEqual([true, false, true, false])
  })

  it('closes again after one request to who kept calling behind the mark', () => {
    const state = freshSentinel()
    const ask = (now: number) => decideSentinel(state, now, 3, 2000, 1).allowed
    for (let i = 0; i < 3; i += 1) expect(ask(0)).toBe(true)
    for (let i = 0; i < 5; i += 1) expect(ask(1500)).toBe(false)
    expect([ask(2000), ask(2001)]).toEqual([true, false])
  })

  it('lets one request pass at a rate below one', () => {
    const state = freshSentinel()
    expect(decideSentinel(state, 0, 0, 2000, 1).allowed).toBe(true)
    expect(decideSentinel(state, 1, 0, 2000, 1).allowed).toBe(false)
  })
})
