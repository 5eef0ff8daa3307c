import { describe, expect, it } from 'vitest'
import { makeStallDetector, type StallCandidate } from './stall-detector.ts'

const entry = (progressed: () => boolean): StallCandidate & { stalls: number } => ({
  idleTicks: 0,
  stalls: 0,
  progressed,
  stalled() {
    this.stalls++
  },
})
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('the stall detector', () => {
  it('calls stalled once for an entry without progress, and not for one with progress', async () => {
    const detector = makeStallDetector(40)
    const idle = entry(() => false)
    const moving = entry(() => true)
    detector.add(idle)
    detector.add(moving)
    await pause(30)
    expect(idle.stalls).toBe(0)
    await pause(150)
    expect([idle.stalls, moving.stalls]).toEqual([1, 0])
    detector.stop()
  })

  it('ignores a removed entry', async () => {
    const detector = makeStallDetector(20)
    const idle = entry(() => false)
    detector.add(idle)
    detector.remove(idle)
    await pause(80)
    expect(idle.stalls).toBe(0)
    detector.stop()
  })
})
