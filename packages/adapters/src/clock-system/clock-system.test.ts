import { describe, expect, test } from 'vitest'
import { systemClock } from './clock-system.ts'

describe('the system clock', () => {
  test('tells milliseconds since 1970', () => {
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000)
  })

  test('calls once after the delay', async () => {
    const startedAt = performance.now()
    await new Promise<void>((resolve) => systemClock.after(20, resolve))
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(18)
  })

  test('a call that was taken back never comes', async () => {
    let called = false
    const cancel = systemClock.after(5, () => {
      called = true
    })
    cancel()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(called).toBe(false)
    cancel()
  })

  test('a delay of months does not fire at once', async () => {
    let called = false
    const cancel = systemClock.after(90 * 24 * 3_600_000, () => {
      called = true
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(called).toBe(false)
    cancel()
  })

  test('a pending call does not keep the process alive', () => {
    const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const cancel = systemClock.after(60_000, () => {})
    expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length).toBe(before)
    cancel()
  })

  test('breathing lets input and output have their turn', async () => {
    const order: string[] = []
    setImmediate(() => order.push('other work'))
    await systemClock.breathe()
    order.push('after')
    expect(order).toEqual(['other work', 'after'])
  })
})
