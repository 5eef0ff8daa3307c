import { describe, expect, it } from 'vitest'
import { plainCounter, quotaCounter, rateCounter } from '../../test/support/plain-counters.ts'
import type { Clock } from '../ports/clock.ts'
import type { RateLimit } from '../ports/rate-limit.ts'
import { counterKey } from '../ports/store.ts'
import { makeMemoryCounters } from './memory-counters.ts'

/** A clock whose time the test sets and whose timers run on `runTimers()`. */
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
  it('report each quota that was counted or reset, and no quota that was only read', () => {
    const changes: string[] = []
    const counters = makeMemoryCounters({
      clock: standingClock(),
      onQuotaChange: (key, { used }) => changes.push(`${key} ${used}`),
    })
    const counter = (subject: string) => quotaCounter(subject, { max: 2, renewalSeconds: 60 })
    counters.consume(counter('a'), 0)
    expect(changes).toEqual([])
    counters.consume(counter('a'), 1)
    counters.consume(counter('b'), 2)
    counters.resetQuotas([counter('b'), counter('unknown')])
    counters.consume({ ...rateCounter('c', rate), endpoint: 'GET:/x', id: 'c at x' }, 1)
    expect(changes).toEqual(['a 1', 'b 2', 'b 0'])
  })

  it('restore saved quotas, unless their period has ended', () => {
    const clock = standingClock()
    const before = makeMemoryCounters({ clock, sweep: false })
    const consume = (subject: string, renewalSeconds: number) =>
      before.consume(quotaCounter(subject, { max: 9, renewalSeconds }), 2)
    for (const subject of ['a', '✓', '', '\ud800', 'a\0b']) consume(subject, 100)
    consume('just over', 10)
    consume('long over', 9)
    consume('never', 0)
    clock.time += 70_000 - 1
    const counters = makeMemoryCounters({ clock, sweep: false })
    for (const [key, state] of before.quotas()) counters.restoreQuota(key, { ...state })
    expect(counters.size).toBe(7)
    counters.restoreQuota('a', { used: 0, renewsAt: undefined })
    expect(counters.size).toBe(6)
    const allowed = (subject: string, max: number, renewalSeconds: number) =>
      counters.consume(quotaCounter(subject, { max, renewalSeconds }), 1).quota?.allowed
    expect(allowed('just over', 1, 10)).toBe(true)
    expect(allowed('never', 2, 0)).toBe(false)
    for (const subject of ['✓', '', '\ud800', 'a\0b']) {
      expect(counters.readQuota(plainCounter(subject))).toEqual({ used: 2, renewsAt: 1_100_000 })
    }
  })

  it('that were reset read as undefined, and a sweep removes them', () => {
    const clock = standingClock()
    const counters = makeMemoryCounters({ clock })
    const counter = quotaCounter('a', { max: 9, renewalSeconds: 0 })
    counters.consume(counter, 1)
    counters.resetQuotas([counter])
    expect(counters.readQuota(counter)).toBeUndefined()
    expect([...counters.quotas()]).toEqual([])
    for (let slice = 0; slice < 5; slice += 1) clock.runTimers()
    expect(counters.size).toBe(0)
  })

  it('with the same subject and different scopes, endpoints or kinds are separate', () => {
    const id = plainCounter('k')
    const ids = [
      id,
      { ...id, scope: 's' },
      { ...id, endpoint: 's' },
      { ...id, kind: 'api' } as const,
      { ...id, kind: 'organisation' } as const,
      { ...id, subject: 'key\0\0\0k' },
    ]
    expect(new Set(ids.map(counterKey)).size).toBe(ids.length)
    expect(counterKey(id)).toBe('k')
  })

  it('start a new window when the algorithm changes', () => {
    const counters = makeMemoryCounters({ clock: standingClock(), sweep: false })
    const allowed = (limit: RateLimit) => counters.consume(rateCounter('k', limit), 1).rate?.allowed
    expect(allowed(rate)).toBe(true)
    expect(allowed(rate)).toBe(false)
    expect(allowed({ ...rate, algorithm: 'rolling' })).toBe(true)
    expect(allowed({ ...rate, algorithm: 'local' })).toBe(true)
    expect(allowed({ ...rate, algorithm: 'local' })).toBe(false)
    expect(allowed(rate)).toBe(true)
    expect(allowed({ ...rate, algorithm: 'local' })).toBe(true)
  })

  it('keep a window that has just ended, in case the clock steps back', () => {
    const clock = standingClock()
    const counters = makeMemoryCounters({ clock })
    counters.consume(rateCounter('k', rate), 1)
    clock.time += 10_000
    clock.runTimers()
    clock.time -= 1000
    expect(counters.consume(rateCounter('k', rate), 1).rate?.allowed).toBe(false)
  })

  it('remove windows that ended a minute ago, one slice at a time', () => {
    const clock = standingClock()
    const counters = makeMemoryCounters({ clock })
    for (let i = 0; i < 5000; i += 1) {
      counters.consume(quotaCounter(`q${i}`, { max: 1, renewalSeconds: i < 4000 ? 1 : 3600 }), 1)
    }
    clock.time += 61_000
    const left = () => {
      let held = 0
      for (let i = 0; i < 5000; i += 1) held += counters.readQuota(plainCounter(`q${i}`)) === undefined ? 0 : 1
      return held
    }
    for (let slice = 0; slice < 5; slice += 1) clock.runTimers()
    expect(left()).toBe(1000)
  })
})
