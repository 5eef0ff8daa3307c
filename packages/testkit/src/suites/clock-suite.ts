/** The test suite for implementations of the port `Clock`. It uses short times, so that real clocks can run it too. */
import type { Millis } from '@turnpike/core/lib'
import type { Clock } from '@turnpike/core/ports'
import { describe, expect, it, vi } from 'vitest'

export interface ClockUnderTest {
  readonly clock: Clock
  /** Lets at least `ms` milliseconds pass and runs the timers that become due. */
  pass(ms: Millis): Promise<void>
}

/** Declares the suite under the adapter's name. */
export function clockSuite(name: string, make: () => ClockUnderTest): void {
  describe(`clock: ${name}`, () => {
    it('returns increasing milliseconds since 1970', async () => {
      const { clock, pass } = make()
      const before = clock.now()
      expect(before).toBeGreaterThan(1_577_836_800_000)
      await pass(20)
      expect(clock.now()).toBeGreaterThanOrEqual(before + 19)
    })

    it('calls back once, after the delay and not before', async () => {
      const { clock, pass } = make()
      const callback = vi.fn()
      clock.after(30, callback)
      expect(callback).not.toHaveBeenCalled()
      await pass(5)
      expect(callback).not.toHaveBeenCalled()
      await pass(60)
      expect(callback).toHaveBeenCalledTimes(1)
      await pass(40)
      expect(callback).toHaveBeenCalledTimes(1)
    })

    it('never calls back synchronously, even without a delay', async () => {
      const { clock, pass } = make()
      const order: string[] = []
      clock.after(0, () => order.push('timer'))
      clock.after(-5, () => order.push('timer'))
      order.push('caller')
      await pass(5)
      expect(order).toEqual(['caller', 'timer', 'timer'])
    })

    it('calls back in order of time', async () => {
      const { clock, pass } = make()
      const order: number[] = []
      for (const delay of [60, 20, 40]) clock.after(delay, () => order.push(delay))
      await pass(100)
      expect(order).toEqual([20, 40, 60])
    })

    it('allows new timers in a callback', async () => {
      const { clock, pass } = make()
      let calls = 0
      clock.after(5, () => clock.after(5, () => (calls += 1)))
      await pass(40)
      expect(calls).toBe(1)
    })

    it('cancels a timer, and ignores a late or repeated cancel', async () => {
      const { clock, pass } = make()
      const called: string[] = []
      const cancel = clock.after(10, () => called.push('cancelled'))
      const tooLate = clock.after(10, () => called.push('done'))
      cancel()
      cancel()
      await pass(40)
      tooLate()
      expect(called).toEqual(['done'])
    })

    it('breathe() lets ready work run', async () => {
      const { clock } = make()
      const ready = vi.fn()
      void Promise.resolve().then(ready)
      await clock.breathe()
      expect(ready).toHaveBeenCalled()
    })
  })
}
