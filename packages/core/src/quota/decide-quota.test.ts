import { describe, expect, it } from 'vitest'
import { decideQuota, freshQuota } from './decide-quota.ts'

const hour = 3_600_000

describe('the quota', () => {
  it('starts its period with the first counted request', () => {
    const counter = freshQuota()
    expect(decideQuota(counter, 5000, { max: 3, renewalSeconds: 3600 }, 0).renewsAt).toBeUndefined()
    expect(decideQuota(counter, 7000, { max: 3, renewalSeconds: 3600 }, 1)).toEqual({
      allowed: true,
      remaining: 2,
      renewsAt: 7000 + hour,
    })
  })

  it('counts rejected requests, which matter when the maximum is raised', () => {
    const counter = freshQuota()
    for (let i = 0; i < 5; i += 1) decideQuota(counter, i, { max: 2, renewalSeconds: 3600 }, 1)
    expect(decideQuota(counter, 9, { max: 10, renewalSeconds: 3600 }, 1)).toMatchObject({ allowed: true, remaining: 4 })
  })

  it('renews exactly at the end of its period', () => {
    const counter = freshQuota()
    const limit = { max: 1, renewalSeconds: 2 }
    decideQuota(counter, 0, limit, 1)
    expect(decideQuota(counter, 1999, limit, 1).allowed).toBe(false)
    expect(decideQuota(counter, 2000, limit, 1)).toEqual({ allowed: true, remaining: 0, renewsAt: 4000 })
  })

  it('never ends without a renewal rate', () => {
    const counter = freshQuota()
    const limit = { max: 1, renewalSeconds: 0 }
    expect(decideQuota(counter, 0, limit, 1)).toEqual({ allowed: true, remaining: 0, renewsAt: undefined })
    expect(decideQuota(counter, 1e15, limit, 1).allowed).toBe(false)
  })

  it('starts a new period when an endless limit gets a renewal rate, and keeps a running period when the rate is removed', () => {
    const endless = freshQuota()
    decideQuota(endless, 0, { max: 1, renewalSeconds: -1 }, 1)
    expect(decideQuota(endless, 10, { max: 1, renewalSeconds: 60 }, 1)).toMatchObject({
      allowed: true,
      renewsAt: 60_010,
    })
    const running = freshQuota()
    decideQuota(running, 0, { max: 1, renewalSeconds: 60 }, 1)
    expect(decideQuota(running, 10, { max: 1, renewalSeconds: 0 }, 1)).toMatchObject({
      allowed: false,
      renewsAt: 60_000,
    })
    expect(decideQuota(running, 60_000, { max: 1, renewalSeconds: 0 }, 1)).toMatchObject({
      allowed: true,
      renewsAt: undefined,
    })
  })

  it('allows several requests only if all of them are within the limit', () => {
    const counter = freshQuota()
    expect(decideQuota(counter, 0, { max: 3, renewalSeconds: 60 }, 4).allowed).toBe(false)
    expect(decideQuota(freshQuota(), 0, { max: 3, renewalSeconds: 60 }, 3).allowed).toBe(true)
  })
})
