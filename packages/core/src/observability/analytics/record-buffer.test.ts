import { describe, expect, it } from 'vitest'
import { recordWith } from '../../../test/support/analytics/record-with.ts'
import { makeManualClock } from '../../../test/support/manual-clock.ts'
import type { AnalyticsRecord } from '../../ports/analytics-record.ts'
import { silentLog } from '../../ports/log.ts'
import type { AnalyticsSink } from './analytics.ts'
import { RecordBuffer } from './record-buffer.ts'

function makeSink(write: (records: readonly AnalyticsRecord[]) => Promise<void> = () => Promise.resolve()) {
  const batches: number[] = []
  const sink: AnalyticsSink = {
    name: 'test',
    write(records) {
      batches.push(records.length)
      return write(records)
    },
    close: () => Promise.resolve(),
  }
  return { sink, batches }
}

const one = recordWith()

describe('a buffer of records', () => {
  it('writes after 200 ms without a record', async () => {
    const clock = makeManualClock()
    const { sink, batches } = makeSink()
    const lane = new RecordBuffer({ sink, clock, log: silentLog })
    lane.add(one)
    await clock.run(150)
    lane.add(one)
    await clock.run(150)
    expect(batches).toEqual([])
    await clock.run(250)
    expect(batches).toEqual([2])
  })

  it('writes after a second at the latest under load', async () => {
    const clock = makeManualClock()
    const { sink, batches } = makeSink()
    const lane = new RecordBuffer({ sink, clock, log: silentLog })
    for (let ms = 0; ms < 1300; ms += 100) {
      lane.add(one)
      await clock.run(100)
    }
    expect(batches.length).toBeGreaterThanOrEqual(1)
  })

  it('writes a full batch at once, one batch at a time', async () => {
    const clock = makeManualClock()
    let release = () => {}
    const { sink, batches } = makeSink(() => new Promise((resolve) => (release = resolve)))
    const lane = new RecordBuffer({ sink, clock, log: silentLog, batch: 2 })
    for (let i = 0; i < 5; i++) lane.add(one)
    await clock.run(0)
    expect(batches).toEqual([2])
    release()
    await clock.run(0)
    expect(batches).toEqual([2, 3])
  })

  it('drops and counts records when it is full, and logs it once a minute', async () => {
    const clock = makeManualClock()
    const logged: string[] = []
    const log = { ...silentLog, error: (message: string) => logged.push(message) }
    const { sink } = makeSink(() => new Promise(() => {}))
    const lane = new RecordBuffer({ sink, clock, log, batch: 2, maxWaiting: 4 })
    for (let i = 0; i < 20; i++) lane.add(one)
    expect(lane.dropped).toBe(14)
    expect(logged).toHaveLength(1)
  })

  it('limits the bytes of detailed records too', () => {
    const { sink } = makeSink()
    const lane = new RecordBuffer({ sink, clock: makeManualClock(), log: silentLog, maxBytes: 1000 })
    const detailed = recordWith({ rawRequest: new Uint8Array(400) })
    for (let i = 0; i < 5; i++) lane.add(detailed)
    expect(lane.dropped).toBe(3)
  })

  it('counts the records of a failed write as lost and continues', async () => {
    const clock = makeManualClock()
    let fails = true
    const { sink } = makeSink(() => (fails ? Promise.reject(new Error('disk full')) : Promise.resolve()))
    const lane = new RecordBuffer({ sink, clock, log: silentLog })
    lane.add(one)
    await lane.flush()
    fails = false
    lane.add(one)
    await lane.flush()
    expect([lane.dropped, lane.written]).toEqual([1, 1])
  })
})
