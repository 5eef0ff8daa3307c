import { describe, expect, it } from 'vitest'
import { decideRolling, entriesKept, freshLog } from './rolling-log.ts'

const windowMs = 30_000

describe('the rolling window', () => {
  it('decides and tells as the recorded script did', () => {
    // Instants of docs/reference/redis-counters.md#rate-limit-counters in ms: counts 0 to 3 before each request, at most 2.
    const log = freshLog()
    const ask = (now: number) => decideRolling(log, now, 2, windowMs, 1)
    expect(ask(253_220)).toEqual({ allowed: true, remaining: 1, resetAt: 253_220 })
    expect(ask(253_332)).toEqual({ allowed: true, remaining: 0, resetAt: 253_332 + windowMs })
    expect(ask(253_437)).toEqual({ allowed: false, remaining: 0, resetAt: 253_332 + windowMs })
    expect(ask(253_541)).toEqual({ allowed: false, remaining: 0, resetAt: 253_437 + windowMs })
  })

  it('lets one fewer pass beside the sentinel option, and tells as before', () => {
    const log = freshLog()
    const ask = (now: number) => decideRolling(log, now, 2, windowMs, 1, { oneLess: true })
    expect(ask(0)).toMatchObject({ allowed: true, remaining: 1 })
    expect(ask(1)).toMatchObject({ allowed: false, remaining: 0 })
  })

  it('frees a slot one period after its request', () => {
    const log = freshLog()
    const ask = (now: number) => decideRolling(log, now, 2, 2000, 1).allowed
    expect([ask(0), ask(1200), ask(2400), ask(2401)]).toEqual([true, true, true, false])
  })

  it('stays closed to who keeps calling, and opens a period after the last call', () => {
    const log = freshLog()
    const ask = (now: number) => decideRolling(log, now, 1, 2000, 1).allowed
    expect([ask(0), ask(1200), ask(2400), ask(4700)]).toEqual([true, false, false, true])
  })

  it('blocks everything at a rate that is cut to 0', () => {
    const log = freshLog()
    expect(decideRolling(log, 0, 0, 1000, 1).allowed).toBe(false)
    expect(decideRolling(log, 5000, 0, 1000, 1).allowed).toBe(false)
  })

  it('remembers what was refused when the limit is raised', () => {
    const log = freshLog()
    for (let i = 0; i < 5; i += 1) decideRolling(log, i, 1, windowMs, 1)
    expect(decideRolling(log, 10, 4, windowMs, 1).allowed).toBe(false)
    expect(decideRolling(log, 11, 8, windowMs, 1)).toMatchObject({ allowed: true, remaining: 1 })
  })

  it('holds a fixed number of entries however long somebody hammers', () => {
    const log = freshLog()
    for (let i = 0; i < 20_000; i += 1) decideRolling(log, i, 3, 3_600_000, 1)
    expect(log.times.length).toBe(entriesKept)
    expect(decideRolling(log, 20_000, 3, 3_600_000, 1).resetAt).toBe(19_998 + 3_600_000)
  })

  it('looks without changing anything, also when the clock steps back after the look', () => {
    const log = freshLog()
    decideRolling(log, 0, 1, 1000, 1)
    expect(decideRolling(log, 5000, 1, 1000, 0)).toMatchObject({ allowed: true, remaining: 1 })
    expect(decideRolling(log, 500, 1, 1000, 1).allowed).toBe(false)
  })
})
