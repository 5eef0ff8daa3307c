import { describe, expect, it } from 'vitest'
import { coalesce } from './coalesce.ts'

function controlled() {
  const runs: { finish: (value: number) => void; fail: (error: Error) => void }[] = []
  const call = coalesce(() => new Promise<number>((finish, fail) => runs.push({ finish, fail })))
  return { runs, call }
}
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('coalesce', () => {
  it('starts at once if no run is in progress', async () => {
    const { runs, call } = controlled()
    const first = call()
    expect(runs).toHaveLength(1)
    runs[0]?.finish(1)
    expect(await first).toBe(1)
  })

  it('shares one later run among all calls during a run', async () => {
    const { runs, call } = controlled()
    const first = call()
    const later = [call(), call(), call()]
    expect(runs).toHaveLength(1)
    runs[0]?.finish(1)
    await first
    await turn()
    expect(runs).toHaveLength(2)
    runs[1]?.finish(2)
    expect(await Promise.all(later)).toEqual([2, 2, 2])
  })

  it('starts a third run for a call made while the second runs', async () => {
    const { runs, call } = controlled()
    void call()
    const second = call()
    runs[0]?.finish(1)
    await turn()
    const third = call()
    runs[1]?.finish(2)
    expect(await second).toBe(2)
    await turn()
    runs[2]?.finish(3)
    expect(await third).toBe(3)
  })

  it('rejects only the calls that share a failed run', async () => {
    const { runs, call } = controlled()
    const first = call()
    const second = call()
    runs[0]?.fail(new Error('broken'))
    await expect(first).rejects.toThrow('broken')
    await turn()
    runs[1]?.finish(2)
    expect(await second).toBe(2)
  })
})
