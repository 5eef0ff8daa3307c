import { monitorEventLoopDelay } from 'node:perf_hooks'
import { PasswordsBusyError } from '@turnpike/core/ports'
import { describe, expect, it } from 'vitest'
import { bcryptPasswords } from './passwords-bcrypt.ts'

describe('bcrypt passwords', () => {
  it('match as a whole, although bcrypt reads 72 bytes', async () => {
    const password = 'p'.repeat(72)
    const hash = await bcryptPasswords.hash(password)
    expect(await bcryptPasswords.matches(password, hash)).toBe(true)
    expect(await bcryptPasswords.matches(`${password}x`, hash)).toBe(false)
  })

  it('match their own hash and no other', async () => {
    const hash = await bcryptPasswords.hash('correct horse')
    expect(hash).toMatch(/^\$2[aby]\$10\$.{53}$/)
    expect(await bcryptPasswords.matches('correct horse', hash)).toBe(true)
    expect(await bcryptPasswords.matches('wrong horse', hash)).toBe(false)
  })

  it('do not match an invalid hash', async () => {
    expect(await bcryptPasswords.matches('x', 'no hash')).toBe(false)
  })

  it('are computed outside of the event loop, and only a limited number waits', async () => {
    const hash = await bcryptPasswords.hash('right')
    const histogram = monitorEventLoopDelay({ resolution: 5 })
    histogram.enable()
    const checks = Array.from({ length: 40 }, () => bcryptPasswords.matches('wrong', hash))
    expect(new Set(await Promise.all(checks))).toEqual(new Set([false]))
    histogram.disable()
    // One check takes 60 ms and more; on the main thread the median delay would be as long.
    expect(histogram.percentile(50) / 1e6).toBeLessThan(40)
    const flood = await Promise.allSettled(Array.from({ length: 300 }, () => bcryptPasswords.matches('x', 'no hash')))
    const rejected = flood.filter(({ status }) => status === 'rejected')
    expect(rejected.length).toBeGreaterThan(100)
    expect(rejected.every((one) => one.status === 'rejected' && one.reason instanceof PasswordsBusyError)).toBe(true)
    expect(await bcryptPasswords.matches('right', hash)).toBe(true)
  }, 60_000)
})
