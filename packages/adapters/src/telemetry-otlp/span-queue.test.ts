import { makeMemoryLog, makeVirtualClock } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { ExportReport } from './export-report.ts'
import type { SendResult } from './otlp-sender.ts'
import { type SpanData, spanKind } from './span-data.ts'
import { SpanQueue } from './span-queue.ts'

const span = (name: string): SpanData => ({
  ...{ traceId: 'a', spanId: 'b', parentId: '', state: '', name, kind: spanKind.server },
  ...{ startedAt: 0, endedAt: 1, attributes: {}, events: [], failed: false, shown: undefined },
})
const failed: SendResult = { kind: 'failed', reason: 'status 503', mayRetry: true }

function makeSetup(results: (SendResult | 'never')[] = []) {
  const clock = makeVirtualClock()
  const log = makeMemoryLog()
  const batches: number[] = []
  const queue = new SpanQueue({
    clock,
    report: new ExportReport(log, clock, 'http://collector'),
    encode: ({ name }) => Buffer.from(name),
    async send(spans) {
      batches.push(spans.length)
      const result = results.shift() ?? { kind: 'sent' as const }
      return result === 'never' ? new Promise(() => undefined) : result
    },
    delayMs: 5000,
  })
  const add = (count: number) => {
    for (let i = 0; i < count; i++) queue.add(span(String(i)))
  }
  const lines = () => log.lines.map(({ level, message }) => `${level}: ${message}`)
  return { clock, log, batches, queue, add, lines }
}

describe('the queue of spans', () => {
  it('sends spans together after the delay', async () => {
    const { clock, batches, add } = makeSetup()
    add(3)
    await clock.run(4999)
    expect(batches).toEqual([])
    await clock.run(1)
    expect(batches).toEqual([3])
    add(1)
    await clock.run(5000)
    expect(batches).toEqual([3, 1])
  })

  it('sends a full batch at once, and the rest later', async () => {
    const { clock, batches, add } = makeSetup()
    add(1100)
    await clock.run(0)
    expect(batches).toEqual([512, 512])
    await clock.run(5000)
    expect(batches).toEqual([512, 512, 76])
  })

  it('drops spans above its limit while the collector does not respond', async () => {
    const { clock, batches, add, log } = makeSetup(['never'])
    add(10_000)
    await clock.run(5000)
    expect(batches).toEqual([512])
    expect(log.lines).toMatchObject([{ message: 'spans are dropped', fields: { reason: 'the queue is full' } }])
  })

  it('sends a batch again after a growing pause, and reports only the first failure and the success', async () => {
    const { clock, batches, add, lines } = makeSetup([failed, failed, failed])
    add(1)
    await clock.run(5000)
    expect(batches).toHaveLength(1)
    await clock.run(1000)
    expect(batches).toHaveLength(2)
    await clock.run(2000)
    expect(batches).toHaveLength(3)
    await clock.run(4000)
    expect(batches).toHaveLength(4)
    expect(lines()).toEqual(['warn: telemetry cannot be exported', 'info: telemetry is exported again'])
  })

  it('waits as long as Retry-After says', async () => {
    const { clock, batches, add } = makeSetup([{ ...failed, retryAfterMs: 30_000 }])
    add(1)
    await clock.run(34_999)
    expect(batches).toHaveLength(1)
    await clock.run(1)
    expect(batches).toHaveLength(2)
  })

  it('gives a batch up after five attempts, at once if the collector rejects it, and says so once a minute', async () => {
    const { clock, batches, add, log } = makeSetup(Array.from({ length: 100 }, () => failed))
    for (let second = 0; second < 300; second++) {
      add(1)
      await clock.run(1000)
    }
    expect(batches.length).toBeGreaterThan(10)
    expect(log.lines).toHaveLength(5)
    expect(log.lines.at(-1)?.fields['droppedSpans']).toBeGreaterThan(10)
    const rejected = makeSetup([{ ...failed, mayRetry: false }])
    rejected.add(1)
    await rejected.clock.run(60_000)
    expect(rejected.batches).toEqual([1])
  })

  it('sends everything when it is closed, and waits only so long', async () => {
    const { clock, batches, queue, add } = makeSetup()
    add(700)
    await queue.close(1000)
    expect(batches).toEqual([512, 188])
    const stuck = makeSetup(['never'])
    stuck.add(5)
    const closed = stuck.queue.close(1000)
    await stuck.clock.run(1000)
    await closed
    expect(clock.pending).toBe(0)
  })
})
