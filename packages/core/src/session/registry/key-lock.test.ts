import { describe, expect, it } from 'vitest'
import { makeKeyLock } from './key-lock.ts'

describe('changes of one key', () => {
  it('run one after the other, in the order of their calls', async () => {
    const lock = makeKeyLock()
    const happened: string[] = []
    const change = (name: string) => async () => {
      happened.push(`${name} begins`)
      await Promise.resolve()
      happened.push(`${name} ends`)
    }
    await Promise.all([lock.hold('k', change('a')), lock.hold('k', change('b'))])
    expect(happened).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  })

  it('do not wait for changes of other keys', async () => {
    const lock = makeKeyLock()
    void lock.hold('k', () => new Promise(() => {}))
    expect(await lock.hold('other', async () => 'done')).toBe('done')
  })

  it('continue after a failed one', async () => {
    const lock = makeKeyLock()
    const failing = lock.hold('k', () => Promise.reject(new Error('broken')))
    const next = lock.hold('k', async () => 'done')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('done')
  })
})
