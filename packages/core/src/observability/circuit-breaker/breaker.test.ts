import { describe, expect, it } from 'vitest'
import { CircuitBreaker } from './breaker.ts'
import type { BreakerChange, BreakerRule } from './breaker-rule.ts'
import { makeBreakers } from './breakers.ts'

const rule: BreakerRule = {
  apiId: 'a',
  version: 'Default',
  path: '/x',
  method: 'GET',
  threshold: 0.5,
  samples: 4,
  closesAfterMs: 60_000,
  halfOpens: true,
}

function setup(change: Partial<BreakerRule> = {}) {
  const changes: string[] = []
  const breaker = new CircuitBreaker({ ...rule, ...change }, (kind) => changes.push(kind))
  const call = (result: 'good' | 'bad' | 'unknown', now: number) => {
    const admission = breaker.admit(now)
    if (admission !== 'rejected') breaker.settle(admission, result, now)
    return admission
  }
  return { breaker, changes, call }
}

describe('a circuit breaker', () => {
  it('opens when the failure rate reaches the threshold after enough calls', () => {
    const { call, changes } = setup()
    for (const result of ['bad', 'bad', 'good'] as const) expect(call(result, 0)).toBe('passes')
    expect(changes).toEqual([])
    expect(call('bad', 0)).toBe('passes')
    expect(changes).toEqual(['tripped'])
    expect(call('good', 1)).toBe('rejected')
  })

  it('opens only at a failed call', () => {
    const { call, changes } = setup({ samples: 3, threshold: 0.4 })
    for (const result of ['bad', 'bad', 'good'] as const) call(result, 0)
    expect(changes).toEqual([])
    call('bad', 0)
    expect(changes).toEqual(['tripped'])
  })

  it('considers the last ten seconds', () => {
    const { call, changes } = setup()
    for (let i = 0; i < 3; i++) call('bad', 500)
    call('bad', 10_500)
    expect(changes).toEqual([])
    for (let second = 11; second < 14; second++) call('bad', second * 1000)
    expect(changes).toEqual(['tripped'])
  })

  it('does not count cancelled calls', () => {
    const { call, changes } = setup({ samples: 1 })
    for (let i = 0; i < 10; i++) call('unknown', 0)
    expect(changes).toEqual([])
  })

  it('closes after its timeout and resets its counts', () => {
    const { call, changes, breaker } = setup({ samples: 2, halfOpens: false })
    call('bad', 0)
    call('bad', 0)
    expect(call('good', 59_999)).toBe('rejected')
    expect(call('bad', 60_000)).toBe('passes')
    expect(changes).toEqual(['tripped', 'reset'])
    expect(breaker.status(60_000)).toMatchObject({ state: 'closed', failures: 1, successes: 0, closesAt: undefined })
  })

  it('allows single trial calls after pauses that grow from half a second', () => {
    const { breaker, call } = setup({ samples: 1 })
    call('bad', 0)
    const trials: number[] = []
    for (let now = 0; now < 10_000; now += 50) if (call('bad', now) === 'tries') trials.push(now)
    expect(trials).toEqual([500, 1250, 2400, 4100, 6650])
    expect(breaker.status(10_000).state).toBe('open')
  })

  it('allows one trial call at a time, and closes if it succeeds', () => {
    const { breaker, call, changes } = setup({ samples: 1 })
    call('bad', 0)
    expect(breaker.admit(600)).toBe('tries')
    expect(breaker.status(600).state).toBe('half-open')
    expect(breaker.admit(700)).toBe('rejected')
    breaker.settle('tries', 'good', 800)
    expect(changes).toEqual(['tripped', 'reset'])
    expect(call('good', 801)).toBe('passes')
  })

  it('allows another trial call if one was cancelled', () => {
    const { breaker } = setup({ samples: 1 })
    breaker.settle(breaker.admit(0) as 'passes', 'bad', 0)
    breaker.settle(breaker.admit(600) as 'tries', 'unknown', 700)
    expect(breaker.admit(701)).toBe('tries')
  })

  it('is not closed by calls that were in progress when it opened', () => {
    const { breaker, changes } = setup({ samples: 1 })
    const slow = breaker.admit(0) as 'passes'
    breaker.settle(breaker.admit(0) as 'passes', 'bad', 0)
    breaker.settle(slow, 'good', 10)
    expect(breaker.admit(20)).toBe('rejected')
    expect(changes).toEqual(['tripped'])
  })

  it('tolerates a clock that is set back', () => {
    const { call, changes } = setup({ samples: 2 })
    call('bad', 1_000_000)
    call('bad', 5)
    expect(changes).toEqual(['tripped'])
  })
})

describe('the breakers of a gateway', () => {
  function makeClock() {
    let now = 0
    const planned: { at: number; fn: () => void }[] = []
    return {
      planned,
      now: () => now,
      after(delay: number, fn: () => void) {
        const entry = { at: now + delay, fn }
        planned.push(entry)
        return () => void planned.splice(planned.indexOf(entry) >>> 0, 1)
      },
      breathe: () => Promise.resolve(),
      advance(ms: number) {
        now += ms
        const due = planned.filter((one) => one.at <= now)
        planned.splice(0, planned.length, ...planned.filter((one) => one.at > now))
        for (const { fn } of due) fn()
      },
    }
  }

  it('are shared by equal rules until the last share is released', () => {
    const breakers = makeBreakers(makeClock(), () => {})
    const before = breakers.lease(rule)
    const after = breakers.lease({ ...rule })
    expect(after.breaker).toBe(before.breaker)
    before.release()
    before.release()
    expect(breakers.list()).toHaveLength(1)
    expect(breakers.lease({ ...rule, samples: 5 }).breaker).not.toBe(after.breaker)
    after.release()
    expect(breakers.list()).toMatchObject([{ samples: 5 }])
  })

  it('report that they close without a further call', () => {
    const clock = makeClock()
    const changes: BreakerChange[] = []
    const { breaker } = makeBreakers(clock, (change) => changes.push(change)).lease({ ...rule, samples: 1 })
    breaker.settle(breaker.admit(0) as 'passes', 'bad', 0)
    clock.advance(59_999)
    expect(changes.map(({ kind }) => kind)).toEqual(['tripped'])
    clock.advance(1)
    expect(changes.map(({ kind }) => kind)).toEqual(['tripped', 'reset'])
    expect(clock.planned).toHaveLength(0)
  })

  it('leave no timer after their release', () => {
    const clock = makeClock()
    const lease = makeBreakers(clock, () => {}).lease({ ...rule, samples: 1 })
    lease.breaker.settle(lease.breaker.admit(0) as 'passes', 'bad', 0)
    expect(clock.planned).toHaveLength(1)
    lease.release()
    expect(clock.planned).toHaveLength(0)
  })
})
