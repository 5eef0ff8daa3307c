import { clockSuite } from '@turnpike/testkit/suites/clock-suite'
import { describe, expect, test } from 'vitest'
import { systemClock } from './clock-system.ts'

clockSuite('system', () => ({
  clock: systemClock,
  pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms + 2)),
}))

describe('the system clock', () => {
  test('does not fire a delay of months immediately', async () => {
    let called = false
    const cancel = systemClock.after(90 * 24 * 3_600_000, () => {
      called = true
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(called).toBe(false)
    cancel()
  })

  test('does not keep the process alive with a pending timer', () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const before = timers()
    const cancel = systemClock.after(60_000, () => {})
    expect(timers()).toBe(before)
    cancel()
  })

  test('breathe lets pending I/O run first', async () => {
    const order: string[] = []
    setImmediate(() => order.push('other work'))
    await systemClock.breathe()
    order.push('after')
    expect(order).toEqual(['other work', 'after'])
  })
})
