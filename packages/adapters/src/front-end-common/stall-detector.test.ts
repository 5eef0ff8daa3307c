import { describe, expect, it } from 'vitest'
import { makeStallDetector, type StallCandidate } from './stall-detector.ts'

const entry = (
  progressed: () => boolean,
  stallKind: 'body' | 'write' = 'body',
): StallCandidate & { stalls: number } => ({
  stallKind,
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
    const detector = makeStallDetector({ body: 40, write: 40 })
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
    const detector = makeStallDetector({ body: 20, write: 20 })
    const idle = entry(() => false)
    detector.add(idle)
    detector.remove(idle)
    await pause(80)
    expect(idle.stalls).toBe(0)
    detector.stop()
  })

  it('has a limit for bodies and one for responses that are not read', async () => {
    const detector = makeStallDetector({ body: 20, write: 10_000 })
    const body = entry(() => false)
    const response = entry(() => false, 'write')
    detector.add(body)
    detector.add(response)
    await pause(100)
    expect([body.stalls, response.stalls]).toEqual([1, 0])
    detector.stop()
  })
})
