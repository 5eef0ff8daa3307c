/**
 * Records on their way to their sinks, gathered so that a sink works by batches and no request waits for one. Each
 * sink has a lane of its own: a slow one loses its records, counted, and keeps nobody else waiting.
 * When a batch goes: docs/reference/analytics.md#analytics (full, 200 ms without a record, at the latest after a second).
 */

import type { AnalyticsRecord } from '../../ports/analytics-record.ts'
import type { Cancel, Clock, Millis } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { AnalyticsSink } from './analytics.ts'

export interface RecordBufferOptions {
  readonly sink: AnalyticsSink
  readonly clock: Clock
  readonly log: Log
  /** Records that make a batch; 1,000 by default. */
  readonly batch?: number
  /** Most records that wait; ten batches by default. */
  readonly maxWaiting?: number
  /** Most bytes of bodies that wait; 32 MiB by default. */
  readonly maxBytes?: number
}

const quietMs = 200
const longestMs = 1000
const logPauseMs = 60_000

export class RecordBuffer {
  /** Records given to the sink, and those that were lost: no room, or the sink failed. */
  written = 0
  dropped = 0
  private readonly sink: AnalyticsSink
  private readonly clock: Clock
  private readonly log: Log
  private readonly batch: number
  private readonly maxWaiting: number
  private readonly maxBytes: number
  private waiting: AnalyticsRecord[] = []
  private bytes = 0
  private firstAt: Millis = 0
  private lastAt: Millis = 0
  private timer: Cancel | undefined = undefined
  private writing: Promise<void> | undefined = undefined
  private toldAt: Millis = Number.NEGATIVE_INFINITY

  constructor({
    sink,
    clock,
    log,
    batch = 1000,
    maxWaiting = 10 * batch,
    maxBytes = 32 * 1024 * 1024,
  }: RecordBufferOptions) {
    this.sink = sink
    this.clock = clock
    this.log = log
    this.batch = batch
    this.maxWaiting = maxWaiting
    this.maxBytes = maxBytes
  }

  add(record: AnalyticsRecord): void {
    const size = record.rawRequest.length + record.rawResponse.length
    if (this.waiting.length >= this.maxWaiting || this.bytes + size > this.maxBytes) {
      this.lose(1, 'there is no room')
      return
    }
    this.lastAt = this.clock.now()
    if (this.waiting.push(record) === 1) this.firstAt = this.lastAt
    this.bytes += size
    if (this.waiting.length >= this.batch) this.send()
    else this.timer ??= this.clock.after(quietMs, this.look)
  }

  /** Writes all that waits and settles when it is done. */
  async flush(): Promise<void> {
    this.timer?.()
    this.timer = undefined
    while (this.waiting.length > 0 || this.writing !== undefined) {
      this.send()
      await this.writing
    }
  }

  private readonly look = (): void => {
    this.timer = undefined
    if (this.waiting.length === 0) return
    const now = this.clock.now()
    if (now - this.lastAt >= quietMs || now - this.firstAt >= longestMs) this.send()
    else this.timer = this.clock.after(quietMs, this.look)
  }

  /** One batch at a time; what comes meanwhile waits. */
  private send(): void {
    if (this.writing !== undefined || this.waiting.length === 0) return
    const records = this.waiting
    this.waiting = []
    this.bytes = 0
    this.writing = this.write(records).finally(() => {
      this.writing = undefined
      if (this.waiting.length >= this.batch) this.send()
      else if (this.waiting.length > 0) this.timer ??= this.clock.after(quietMs, this.look)
    })
  }

  private async write(records: readonly AnalyticsRecord[]): Promise<void> {
    // The request of the last record has its answer first.
    await this.clock.breathe()
    try {
      await this.sink.write(records)
      this.written += records.length
    } catch (cause) {
      this.lose(records.length, String(cause))
    }
  }

  private lose(count: number, reason: string): void {
    this.dropped += count
    const now = this.clock.now()
    if (now - this.toldAt < logPauseMs) return
    this.toldAt = now
    this.log.error('analytics records are lost', { sink: this.sink.name, reason, lost: this.dropped })
  }
}
