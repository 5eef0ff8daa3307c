import { describe, expect, it } from 'vitest'
import { decideLocal, freshBucket } from './local-bucket.ts'

const second = 1000

describe('the in-memory bucket', () => {
  it('allows ⌊rate⌋ requests, then blocks until the window ends', () => {
    const bucket = freshBucket()
    const consume = (now: number) => decideLocal(bucket, now, 2.7, 10, 1)
    expect(consume(0)).toEqual({ allowed: true, remaining: 1, resetAt: 10 * second })
    expect(consume(4 * second)).toEqual({ allowed: true, remaining: 0, resetAt: 10 * second })
    expect(consume(5 * second)).toEqual({ allowed: false, remaining: 0, resetAt: 10 * second })
    expect(consume(10 * second - 1).allowed).toBe(false)
    expect(consume(10 * second)).toEqual({ allowed: true, remaining: 1, resetAt: 20 * second })
  })

  it('allows at least one request', () => {
    const bucket = freshBucket()
    expect(decideLocal(bucket, 0, 0.5, 10, 1).allowed).toBe(true)
    expect(decideLocal(bucket, 1, 0.5, 10, 1).allowed).toBe(false)
  })

  it('rounds the period down to whole seconds; a period below one second means no limit', () => {
    const cut = freshBucket()
    decideLocal(cut, 0, 1, 2.9, 1)
    expect(decideLocal(cut, 1999, 1, 2.9, 1).allowed).toBe(false)
    expect(decideLocal(cut, 2000, 1, 2.9, 1).allowed).toBe(true)
    const none = freshBucket()
    for (let i = 0; i < 5; i += 1) expect(decideLocal(none, 7, 1, 0.9, 1).allowed).toBe(true)
  })

  it('refills completely at the end of the window, not gradually', () => {
    const bucket = freshBucket()
    for (let i = 0; i < 3; i += 1) decideLocal(bucket, 0, 3, 10, 1)
    expect(decideLocal(bucket, 9 * second, 3, 10, 1).allowed).toBe(false)
    expect(decideLocal(bucket, 11 * second, 3, 10, 1).remaining).toBe(2)
  })

  it('neither extends the window nor consumes tokens when it blocks', () => {
    const bucket = freshBucket()
    decideLocal(bucket, 0, 1, 10, 1)
    for (let now = 1; now < 10; now += 1) decideLocal(bucket, now * second, 1, 10, 1)
    expect(decideLocal(bucket, 10 * second, 1, 10, 1).allowed).toBe(true)
  })

  it('reads with amount 0, without consuming tokens or starting a window', () => {
    const bucket = freshBucket()
    expect(decideLocal(bucket, 0, 1, 10, 0)).toEqual({ allowed: true, remaining: 1, resetAt: 10 * second })
    expect(decideLocal(bucket, 5 * second, 1, 10, 1).resetAt).toBe(15 * second)
    expect(decideLocal(bucket, 6 * second, 1, 10, 0).allowed).toBe(false)
  })

  it('divides the rate between nodes, including its first two decimals', () => {
    const bucket = freshBucket()
    const allowed = [1, 2, 3, 4].map((now) => decideLocal(bucket, now, 7.5, 10, 1, 3).allowed)
    expect(allowed).toEqual([true, true, false, false])
  })

  it('applies a changed limit to the next request', () => {
    const bucket = freshBucket()
    for (let i = 0; i < 3; i += 1) decideLocal(bucket, 0, 3, 10, 1)
    expect(decideLocal(bucket, 1, 5, 10, 1)).toEqual({ allowed: true, remaining: 1, resetAt: 10 * second })
    expect(decideLocal(bucket, 2, 2, 10, 1)).toEqual({ allowed: false, remaining: 0, resetAt: 10 * second })
  })

  it('starts the window again, with the tokens it has left, if the clock stepped back by more than a window', () => {
    const bucket = freshBucket()
    const hour = 3_600_000
    for (let i = 0; i < 2; i++) decideLocal(bucket, 5 * hour, 3, 10, 1)
    const results = [0, 0, 9_999, 10_000].map((ms) => decideLocal(bucket, hour + ms, 3, 10, 1).allowed)
    expect(results).toEqual([true, false, false, true])
  })
})
