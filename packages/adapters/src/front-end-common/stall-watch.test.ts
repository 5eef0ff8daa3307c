import { describe, expect, it } from 'vitest'
import { makeStallWatch, type Watched } from './stall-watch.ts'

const entry = (moved: () => boolean): Watched & { stalls: number } => ({
  quietLooks: 0,
  stalls: 0,
  moved,
  stalled() {
    this.stalls++
  },
})
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('the stall watch', () => {
  it('tells once what stood still, and leaves alone what moves', async () => {
    const watch = makeStallWatch(40)
    const still = entry(() => false)
    const moving = entry(() => true)
    watch.add(still)
    watch.add(moving)
    await pause(30)
    expect(still.stalls).toBe(0)
    await pause(150)
    expect([still.stalls, moving.stalls]).toEqual([1, 0])
    watch.stop()
  })

  it('forgets what was taken out', async () => {
    const watch = makeStallWatch(20)
    const still = entry(() => false)
    watch.add(still)
    watch.remove(still)
    await pause(80)
    expect(still.stalls).toBe(0)
    watch.stop()
  })
})
