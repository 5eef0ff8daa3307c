import { describe, expect, it } from 'vitest'
import type { Clock } from '../ports/clock.ts'
import type { RateLimit } from '../rate-limit/rate-limit.ts'
import { makeMemoryCounters } from './memory-counters.ts'

/** A clock that stands where it is put; its timers run when told to. */
function standingClock(): Clock & { time: number; runTimers(): void } {
  const timers: (() => void)[] = []
  return {
    time: 1_000_000,
    now() {
      return this.time
    },
    after(_delayMs, fn) {
      timers.push(fn)
      return () => {}
    },
    breathe: () => Promise.resolve(),
    runTimers() {
      for (const fire of timers.splice(0)) fire()
    },
  }
}

const rate: RateLimit = { algorithm: 'fixed', rate: 1, per: 10, smoothing: undefined, oneLess: false }

describe('counters in memory', () => {
  it('tell which quotas changed: counted, reset and swept, not looked at', () => {
    const clock = standingClock()
    const changed: string[] = []
    const counters = makeMemoryCounters({ clock, onQuotaChanged: (name) => changed.push(name) })
    const limit = { max: 2, renewalSeconds: 60 }
    counters.spend('a', limit, 0)
    counters.spend('a', limit, 1)
    counters.spend('b', limit, 1)
    counters.resetQuotas(['b', 'unknown'])
    expect(changed).toEqual(['a', 'b', 'b'])
    expect(counters.exportQuota('b')).toBeUndefined()
    clock.time += 60_000 + 60_000
    clock.runTimers()
    expect(changed).toEqual(['a', 'b', 'b', 'a'])
    expect(counters.exportQuota('a')).toBeUndefined()
  })

  it('bring a kept quota back, unless it is over', () => {
    const clock = standingClock()
    const counters = makeMemoryCounters({ clock, sweep: false })
    counters.importQuota('a', { used: 2, renewsAt: clock.time + 1000 })
    counters.importQuota('over', { used: 2, renewsAt: clock.time })
    counters.importQuota('never', { used: 2, renewsAt: undefined })
    const limit = { max: 2, renewalSeconds: 60 }
    expect(counters.spend('a', limit, 1)).toEqual({ allowed: false, remaining: 0, renewsAt: clock.time + 1000 })
    expect(counters.spend('over', limit, 1).allowed).toBe(true)
    expect(counters.spend('never', { max: 2, renewalSeconds: 0 }, 1).allowed).toBe(false)
    expect(counters.exportQuota('a')).toEqual({ used: 3, renewsAt: clock.time + 1000 })
  })

  it('begin anew when a counter is asked by another algorithm', () => {
    const counters = makeMemoryCounters({ clock: standingClock(), sweep: false })
    expect(counters.take('k', rate, 1).allowed).toBe(true)
    expect(counters.take('k', rate, 1).allowed).toBe(false)
    expect(counters.take('k', { ...rate, algorithm: 'rolling' }, 1).allowed).toBe(true)
  })

  it('keep what has just ended, so that a clock that steps back finds it', () => {
    const clock = standingClock()
    const counters = makeMemoryCounters({ clock })
    counters.take('k', rate, 1)
    clock.time += 10_000
    clock.runTimers()
    clock.time -= 1000
    expect(counters.take('k', rate, 1).allowed).toBe(false)
  })

  it('forget what has been over for a while, a slice at a time', () => {
    const clock = standingClock()
    const counters = makeMemoryCounters({ clock })
    for (let i = 0; i < 5000; i += 1) counters.spend(`q${i}`, { max: 1, renewalSeconds: i < 4000 ? 1 : 3600 }, 1)
    clock.time += 61_000
    const left = () => {
      let held = 0
      for (let i = 0; i < 5000; i += 1) held += counters.readQuota(`q${i}`) === undefined ? 0 : 1
      return held
    }
    for (let slice = 0; slice < 5; slice += 1) clock.runTimers()
    expect(left()).toBe(1000)
  })
})
