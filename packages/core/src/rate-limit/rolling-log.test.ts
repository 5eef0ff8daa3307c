import { describe, expect, it } from 'vitest'
import { decideRolling, entriesKept, freshLog } from './rolling-log.ts'

const windowMs = 30_000

describe('the rolling window', () => {
  it('returns the results of the original script', () => {
    // Instants of docs/reference/redis-counters.md#rate-limit-counters in ms: counts 0 to 3 before each request, at most 2.
    const log = freshLog()
    const consume = (now: number) => decideRolling(log, now, 2, windowMs, 1)
    expect(consume(253_220)).toEqual({ allowed: true, remaining: 1, resetAt: 253_220 })
    expect(consume(253_332)).toEqual({ allowed: true, remaining: 0, resetAt: 253_332 + windowMs })
    expect(consume(253_437)).toEqual({ allowed: false, remaining: 0, resetAt: 253_332 + windowMs })
    expect(consume(253_541)).toEqual({ allowed: false, remaining: 0, resetAt: 253_437 + windowMs })
  })

  it('allows one request fewer with `oneLess`, with the same `remaining` and `resetAt`', () => {
    const log = freshLog()
    const consume = (now: number) => decideRolling(log, now, 2, windowMs, 1, { oneLess: true })
    expect(consume(0)).toMatchObject({ allowed: true, remaining: 1 })
    expect(consume(1)).toMatchObject({ allowed: false, remaining: 0 })
  })

  it('allows another request one period after an allowed one', () => {
    const log = freshLog()
    const consume = (now: number) => decideRolling(log, now, 2, 2000, 1).allowed
    expect([consume(0), consume(1200), consume(2400), consume(2401)]).toEqual([true, true, true, false])
  })

  it('blocks a client that keeps calling until one period after its last call', () => {
    const log = freshLog()
    const consume = (now: number) => decideRolling(log, now, 1, 2000, 1).allowed
    expect([consume(0), consume(1200), consume(2400), consume(4700)]).toEqual([true, false, false, true])
  })

  it('blocks every request if the rate rounds down to 0', () => {
    const log = freshLog()
    expect(decideRolling(log, 0, 0, 1000, 1).allowed).toBe(false)
    expect(decideRolling(log, 5000, 0, 1000, 1).allowed).toBe(false)
  })

  it('counts rejected requests when the limit is raised', () => {
    const log = freshLog()
    for (let i = 0; i < 5; i += 1) decideRolling(log, i, 1, windowMs, 1)
    expect(decideRolling(log, 10, 4, windowMs, 1).allowed).toBe(false)
    expect(decideRolling(log, 11, 8, windowMs, 1)).toMatchObject({ allowed: true, remaining: 1 })
  })

  it('keeps a bounded number of entries however often a client calls', () => {
    const log = freshLog()
    for (let i = 0; i < 20_000; i += 1) decideRolling(log, i, 3, 3_600_000, 1)
    expect(log.times.length).toBe(entriesKept)
    expect(decideRolling(log, 20_000, 3, 3_600_000, 1).resetAt).toBe(19_998 + 3_600_000)
  })

  it('changes nothing with amount 0, also if the clock steps back afterwards', () => {
    const log = freshLog()
    decideRolling(log, 0, 1, 1000, 1)
    expect(decideRolling(log, 5000, 1, 1000, 0)).toMatchObject({ allowed: true, remaining: 1 })
    expect(decideRolling(log, 500, 1, 1000, 1).allowed).toBe(false)
  })
})
