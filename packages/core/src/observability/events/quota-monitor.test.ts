import { describe, expect, it } from 'vitest'
import { decideShare } from './quota-monitor.ts'

const spent = (remaining: number, renewsAt = 1000) => ({ allowed: true, remaining, renewsAt })

describe('quota thresholds', () => {
  it('below every threshold no event is fired', () => {
    expect(decideShare(spent(3), 10, 80, [90], 0)).toBeUndefined()
  })

  it('the global threshold fires an event once it is reached', () => {
    expect(decideShare(spent(2), 10, 80, null, 0)).toEqual({ limit: 80, usage: 80 })
    expect(decideShare(spent(0), 10, 80, null, 0)).toEqual({ limit: 80, usage: 100 })
  })

  it('the first reached threshold of the session fires an event', () => {
    expect(decideShare(spent(4), 10, 80, [90, 50, 30], 0)).toEqual({ limit: 50, usage: 60 })
  })

  it('the global threshold applies only before the renewal of the quota', () => {
    expect(decideShare(spent(0, 1000), 10, 80, null, 1000)).toBeUndefined()
    expect(decideShare({ ...spent(0), renewsAt: undefined }, 10, 80, [90], 0)).toEqual({ limit: 90, usage: 100 })
  })

  it('a threshold of 0 is ignored', () => {
    expect(decideShare(spent(9), 10, 0, [0], 0)).toBeUndefined()
  })
})
