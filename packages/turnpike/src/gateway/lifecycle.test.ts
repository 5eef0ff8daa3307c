import { describe, expect, it } from 'vitest'
import { Lifecycle } from './lifecycle.ts'

describe('a lifecycle', () => {
  it('closes in reverse order, one after the other, and once', async () => {
    const closed: string[] = []
    const lifecycle = new Lifecycle()
    lifecycle.onClose(() => void closed.push('store'))
    lifecycle.onClose(async (graceMs) => {
      await Promise.resolve()
      closed.push(`engine ${graceMs}`)
    })
    lifecycle.onClose(() => void closed.push('server'))
    await Promise.all([lifecycle.close(5), lifecycle.close(7)])
    await lifecycle.close(9)
    expect(closed).toEqual(['server', 'engine 5', 'store'])
  })

  it('closes the rest when one part fails, and then rejects with its error', async () => {
    const closed: string[] = []
    const lifecycle = new Lifecycle()
    lifecycle.onClose(() => void closed.push('store'))
    lifecycle.onClose(() => Promise.reject(new Error('the port does not close')))
    await expect(lifecycle.close(0)).rejects.toThrow('the port does not close')
    expect(closed).toEqual(['store'])
  })
})
