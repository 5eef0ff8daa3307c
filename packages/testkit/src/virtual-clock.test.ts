import { describe, expect, it } from 'vitest'
import { makeVirtualClock, virtualEpoch } from './virtual-clock.ts'

describe('the virtual clock', () => {
  it('fires timers at their own instants, including timers that a callback creates', () => {
    const clock = makeVirtualClock()
    const fired: [string, number][] = []
    const note = (name: string) => fired.push([name, clock.now() - virtualEpoch])
    clock.after(30, () => note('late'))
    clock.after(10, () => {
      note('early')
      clock.after(5, () => note('planned'))
    })
    clock.after(10, () => note('early too'))
    clock.advance(20)
    expect(fired).toEqual([
      ['early', 10],
      ['early too', 10],
      ['planned', 15],
    ])
    expect(clock.pending).toBe(1)
    expect(clock.now()).toBe(virtualEpoch + 20)
  })

  it('neither fires nor delays timers when the time of day is set', () => {
    const clock = makeVirtualClock()
    let fired = 0
    clock.after(10, () => {
      fired += 1
    })
    clock.set(virtualEpoch + 1000)
    expect(fired).toBe(0)
    clock.moveTo(virtualEpoch - 1000)
    expect(clock.now()).toBe(virtualEpoch - 1000)
    clock.advance(10)
    expect(fired).toBe(1)
    expect(clock.now()).toBe(virtualEpoch - 990)
  })

  it('run() runs promise reactions between timers', async () => {
    const clock = makeVirtualClock()
    const seen: string[] = []
    const wait = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve))
    const work = async () => {
      await wait(10)
      seen.push(`first at ${clock.now() - virtualEpoch}`)
      await wait(10)
      seen.push(`second at ${clock.now() - virtualEpoch}`)
    }
    void work()
    clock.after(15, () => seen.push('between'))
    await clock.run(100)
    expect(seen).toEqual(['first at 10', 'between', 'second at 20'])
  })

  it('fires 2,000 timers in order and skips cancelled ones', () => {
    const clock = makeVirtualClock()
    const fired: number[] = []
    for (let i = 0; i < 2000; i += 1) {
      const delay = (i * 7919) % 1009
      const cancel = clock.after(delay, () => fired.push(delay))
      if (i % 3 === 0) cancel()
    }
    clock.advance(2000)
    expect(fired).toEqual([...fired].sort((a, b) => a - b))
    expect(clock.pending).toBe(0)
  })
})
