import { describe, expect, it } from 'vitest'
import type { Clock } from '../ports/clock.ts'
import type { RateLimit } from '../ports/rate-limit.ts'
import { makeMemoryCounters } from './memory-counters.ts'
import { unpackQuotas } from './quota-blob.ts'

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
  it('count what is named, whatever places they are told', () => {
    const clock = standingClock()
    const counters = makeMemoryCounters({ clock, sweep: false })
    const bucket: RateLimit = { ...rate, algorithm: 'local', rate: 100 }
    const quota = { max: 100, renewalSeconds: 10 }
    const places = { row: -1, rate: -1, quota: -1, stay: 1 }
    const left = (name: string, given = places) => [
      counters.take(name, bucket, 1, given).remaining,
      counters.spend(name, quota, 1, given).remaining,
    ]
    expect([left('a'), left('a')]).toEqual([
      [99, 99],
      [98, 98],
    ])
    const placesOfA = { ...places }
    expect(left('b')).toEqual([99, 99])
    expect(left('a', places)).toEqual([97, 97])
    expect(left('c', { ...places, rate: 1, quota: 0 })).toEqual([99, 99])
    expect(left('d', { ...places, rate: 1e9, quota: Number.NaN })).toEqual([99, 99])
    expect(left('a', placesOfA)).toEqual([96, 96])
    expect(left('b')).toEqual([98, 98])
    counters.resetQuotas(['a'])
    clock.time += 1_000_000
    for (const table of counters.sweepables) table.sweepSlice(100, clock.time)
    expect(left('e')).toEqual([99, 99])
    expect(left('a', placesOfA)).toEqual([99, 99])
    expect(left('e')).toEqual([98, 98])
    counters.close()
  })

  /** What blobs tell of what is used, later ones over earlier ones. */
  const told = (blobs: readonly Uint8Array[]) => {
    const counters: Record<string, number> = {}
    for (const blob of blobs) {
      expect(unpackQuotas(blob, (name, { used }) => Object.assign(counters, { [name]: used }))).toBe(true)
    }
    return counters
  }

  it('tell which quotas changed: counted and reset, not looked at, each of them once', () => {
    let calls = 0
    const counters = makeMemoryCounters({
      clock: standingClock(),
      onQuotaChanged: () => {
        calls += 1
      },
    })
    const limit = { max: 2, renewalSeconds: 60 }
    counters.spend('a', limit, 0)
    expect(calls).toBe(0)
    counters.spend('a', limit, 1)
    counters.spend('a', limit, 1)
    counters.spend('b', limit, 1)
    counters.resetQuotas(['b', 'unknown'])
    expect(calls).toBe(1)
    expect(counters.quotas.changes).toBe(2)
    expect(told(counters.quotas.takeChanges())).toEqual({ a: 2, b: 0 })
    expect(counters.quotas.changes).toBe(0)
    counters.resetQuotas(['a'])
    counters.spend('a', limit, 1)
    expect(calls).toBe(2)
    expect(told(counters.quotas.takeChanges())).toEqual({ a: 1 })
  })

  it('note changes again that could not be kept, as they are by then', () => {
    const clock = standingClock()
    const counters = makeMemoryCounters({ clock, onQuotaChanged: () => {} })
    const limit = { max: 9, renewalSeconds: 0 }
    for (const name of ['a', 'b', 'c']) counters.spend(name, limit, 1)
    const taken = counters.quotas.takeChanges()
    counters.spend('a', limit, 1)
    counters.resetQuotas(['b'])
    // What was reset is swept, and must be told nevertheless.
    for (const table of counters.sweepables) table.sweepSlice(100, clock.time)
    for (const blob of taken) counters.quotas.giveBack(blob)
    expect(told(counters.quotas.takeChanges())).toEqual({ a: 2, b: 0, c: 1 })
  })

  it('note many changes in several blobs, each counter once and with its last state', () => {
    const counters = makeMemoryCounters({ clock: standingClock(), onQuotaChanged: () => {} })
    const limit = { max: 9, renewalSeconds: 60 }
    const name = (i: number) => `quota-some-organisation-and-a-key-of-it-${i}`
    const spendAll = (from: number, to: number) => {
      for (let i = from; i < to; i += 1) counters.spend(name(i), limit, 1)
    }
    spendAll(0, 3000)
    spendAll(0, 3000)
    expect(counters.quotas.changes).toBe(3000)
    const blobs = counters.quotas.takeChanges()
    const each = blobs.map((blob) => Object.keys(told([blob])).length)
    expect(Math.max(...each)).toBeLessThan(3000)
    expect(each.reduce((sum, one) => sum + one)).toBe(3000)
    expect(new Set(Object.values(told(blobs)))).toEqual(new Set([2]))
    spendAll(0, 1)
    spendAll(2999, 3000)
    expect(counters.quotas.changes).toBe(2)
    expect(told(counters.quotas.takeChanges())).toEqual({ [name(0)]: 3, [name(2999)]: 3 })
    expect(counters.quotas.takeChanges()).toHaveLength(0)
  })

  it('write over the bytes of blobs that are kept, and of no others', () => {
    const counters = makeMemoryCounters({ clock: standingClock(), onQuotaChanged: () => {} })
    const limit = { max: 9, renewalSeconds: 60 }
    const take = () => {
      for (let i = 0; i < 6000; i += 1) counters.spend(`quota-some-organisation-and-a-key-of-it-${i}`, limit, 1)
      return counters.quotas.takeChanges()
    }
    const first = take()
    const second = take()
    expect([first.length, second.length]).toEqual([4, 4])
    for (const blob of first) counters.quotas.reuse(blob)
    const third = take()
    const fourth = take()
    const buffers = (blobs: readonly Uint8Array[]) => new Set(blobs.map(({ buffer }) => buffer))
    expect([...buffers(third)].filter((buffer) => buffers(first).has(buffer))).toHaveLength(4)
    expect(new Set([...buffers(second), ...buffers(third), ...buffers(fourth)]).size).toBe(12)
    expect(new Set(Object.values(told(second)))).toEqual(new Set([2]))
    expect(new Set(Object.values(told(third)))).toEqual(new Set([3]))
    expect(new Set(Object.values(told(fourth)))).toEqual(new Set([4]))
  })

  it('note a counter whose name is longer than a blob, and those behind it', () => {
    const counters = makeMemoryCounters({ clock: standingClock(), onQuotaChanged: () => {} })
    const limit = { max: 9, renewalSeconds: 60 }
    const long = 'x'.repeat(300_000)
    for (const name of ['a', long, 'b', 'a', long, 'b']) counters.spend(name, limit, 1)
    expect(told(counters.quotas.takeChanges())).toEqual({ a: 2, [long]: 2, b: 2 })
  })

  it('that were reset read as none, and leave the table once that was told', () => {
    const clock = standingClock()
    const counters = makeMemoryCounters({ clock, onQuotaChanged: () => {} })
    counters.spend('a', { max: 9, renewalSeconds: 0 }, 1)
    counters.resetQuotas(['a'])
    expect(counters.readQuota('a')).toBeUndefined()
    clock.runTimers()
    expect(told(counters.quotas.takeChanges())).toEqual({ a: 0 })
    for (let slice = 0; slice < 5; slice += 1) clock.runTimers()
    expect(counters.quotas.size).toBe(0)
  })

  it('bring kept quotas back, unless they are over', () => {
    const clock = standingClock()
    const before = makeMemoryCounters({ clock, sweep: false, onQuotaChanged: () => {} })
    const spend = (name: string, renewalSeconds: number) => before.spend(name, { max: 9, renewalSeconds }, 2)
    for (const name of ['a', '✓', 'ü', '', '\ud800']) spend(name, 100)
    spend('just over', 10)
    spend('long over', 9)
    spend('never', 0)
    spend('reset', 0)
    const blobs = before.quotas.takeChanges()
    before.resetQuotas(['reset'])
    blobs.push(...before.quotas.takeChanges())
    clock.time += 70_000 - 1
    const counters = makeMemoryCounters({ clock, sweep: false })
    for (const blob of blobs) expect(counters.quotas.putBack(blob, clock.time)).toBe(true)
    expect(counters.quotas.size).toBe(7)
    expect(counters.spend('just over', { max: 1, renewalSeconds: 10 }, 1).allowed).toBe(true)
    expect(counters.spend('never', { max: 2, renewalSeconds: 0 }, 1).allowed).toBe(false)
    for (const name of ['a', '✓', 'ü', '', '\ud800']) {
      expect(counters.readQuota(name)).toEqual({ used: 2, renewsAt: 1_100_000 })
    }
  })

  it('take from a broken blob what comes before the damage', () => {
    const clock = standingClock()
    const before = makeMemoryCounters({ clock, sweep: false })
    for (const name of ['a', 'b']) before.spend(name, { max: 9, renewalSeconds: 0 }, 1)
    const { blob } = before.quotas.slice(0, 10)
    for (let length = blob.length - 1; length > blob.length / 2; length -= 1) {
      const counters = makeMemoryCounters({ clock, sweep: false })
      expect(counters.quotas.putBack(blob.subarray(0, length), clock.time)).toBe(false)
      expect([counters.readQuota('a')?.used, counters.readQuota('b')]).toEqual([1, undefined])
    }
  })

  it('are told whole, a slice at a time', () => {
    const counters = makeMemoryCounters({ clock: standingClock(), sweep: false })
    for (let i = 0; i < 5000; i += 1) counters.spend(`q${i}`, { max: 1, renewalSeconds: 60 }, i + 1)
    counters.resetQuotas(['q7'])
    const all: Record<string, number> = {}
    for (let from: number | undefined = 0; from !== undefined; ) {
      const { blob, next }: { blob: Uint8Array; next: number | undefined } = counters.quotas.slice(from, 1000)
      Object.assign(all, told([blob]))
      from = next
    }
    expect(Object.keys(all)).toHaveLength(4999)
    expect(all.q4999).toBe(5000)
  })

  it('begin anew when a counter is asked by another algorithm', () => {
    const counters = makeMemoryCounters({ clock: standingClock(), sweep: false })
    expect(counters.take('k', rate, 1).allowed).toBe(true)
    expect(counters.take('k', rate, 1).allowed).toBe(false)
    expect(counters.take('k', { ...rate, algorithm: 'rolling' }, 1).allowed).toBe(true)
    expect(counters.take('k', { ...rate, algorithm: 'local' }, 1).allowed).toBe(true)
    expect(counters.take('k', { ...rate, algorithm: 'local' }, 1).allowed).toBe(false)
    expect(counters.take('k', rate, 1).allowed).toBe(true)
    expect(counters.take('k', { ...rate, algorithm: 'local' }, 1).allowed).toBe(true)
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
