import { describe, expect, it } from 'vitest'
import { decideFixed, freshWindow } from './fixed-window.ts'

describe('the fixed window', () => {
  it('starts at multiples of the period since the epoch', () => {
    const state = freshWindow()
    const consume = (now: number) => decideFixed(state, now, 1, 1000, 1)
    expect(consume(5900)).toEqual({ allowed: true, remaining: 0, resetAt: 6000 })
    expect(consume(5999).allowed).toBe(false)
    expect(consume(6000)).toEqual({ allowed: true, remaining: 0, resetAt: 7000 })
  })

  it('reports the requests that are left', () => {
    const state = freshWindow()
    const remaining = [1, 0, 1, 1, 1].map((amount) => decideFixed(state, 100, 3, 1000, amount).remaining)
    expect(remaining).toEqual([2, 2, 1, 0, 0])
    expect(decideFixed(freshWindow(), 0, 3, 0, 1).remaining).toBe(2)
  })

  it('blocks every request if the rate rounds down to 0', () => {
    expect(decideFixed(freshWindow(), 0, 0, 1000, 1).allowed).toBe(false)
    expect(decideFixed(freshWindow(), 0, 0, 0, 1).allowed).toBe(false)
  })

  it('never blocks if the period rounds down to 0', () => {
    const state = freshWindow()
    for (let i = 0; i < 3; i += 1) expect(decideFixed(state, 5, 1, 0, 1).allowed).toBe(true)
  })

  it('stays in the newest window when the clock steps back', () => {
    const state = freshWindow()
    decideFixed(state, 6000, 1, 1000, 1)
    expect(decideFixed(state, 4000, 1, 1000, 1)).toEqual({ allowed: false, remaining: 0, resetAt: 7000 })
  })

  it('stays closed until its end, however many requests it rejects', () => {
    const state = freshWindow()
    for (let i = 0; i < 5; i += 1) decideFixed(state, 100, 2, 1000, 1)
    expect(decideFixed(state, 999, 2, 1000, 0).allowed).toBe(false)
    expect(decideFixed(state, 1000, 2, 1000, 0).allowed).toBe(true)
  })
})
