/**
 * Buffers records for a sink of `adapters` such as `redis-records-sink.ts`, so that the sink writes batches and no request waits for it. Each sink has its own buffer,
 * so a slow sink delays no other sink; records that exceed its buffer are dropped and counted.
 * When a batch is written: docs/reference/analytics.md#analytics (full, 200 ms without a record, at the latest after a second).
 */

import type { AnalyticsRecord } from '../../ports/analytics-record.ts'
import type { Cancel, Clock, Millis } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { AnalyticsSink } from './analytics.ts'

export interface RecordBufferOptions {
  readonly sink: AnalyticsSink
  readonly clock: Clock
  readonly log: Log
  /** Records per batch. Default: 1,000. */
  readonly batch?: number
  /** Maximum buffered records. Default: ten batches. */
  readonly maxWaiting?: number
  /** Maximum bytes of buffered bodies. Default: 32 MiB. */
  readonly maxBytes?: number
}

const idleMs = 200
const maxDelayMs = 1000
const logPauseMs = 60_000

export class RecordBuffer {
  /** Records written to the sink; `dropped` counts those lost because the buffer was full or the sink failed. */
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
  private loggedAt: Millis = Number.NEGATIVE_INFINITY

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
    else this.timer ??= this.clock.after(idleMs, this.sendIfDue)
  }

  /** Writes all buffered records. */
  async flush(): Promise<void> {
    this.timer?.()
    this.timer = undefined
    while (this.waiting.length > 0 || this.writing !== undefined) {
      this.send()
      await this.writing
    }
  }

  private readonly sendIfDue = (): void => {
    this.timer = undefined
    if (this.waiting.length === 0) return
    const now = this.clock.now()
    if (now - this.lastAt >= idleMs || now - this.firstAt >= maxDelayMs) this.send()
    else this.timer = this.clock.after(idleMs, this.sendIfDue)
  }

  /** Writes one batch at a time; records that arrive during a write are buffered. */
  private send(): void {
    if (this.writing !== undefined || this.waiting.length === 0) return
    const records = this.waiting
    this.waiting = []
    this.bytes = 0
    this.writing = this.write(records).finally(() => {
      this.writing = undefined
      if (this.waiting.length >= this.batch) this.send()
      else if (this.waiting.length > 0) this.timer ??= this.clock.after(idleMs, this.sendIfDue)
    })
  }

  private async write(records: readonly AnalyticsRecord[]): Promise<void> {
    // Lets the response of the last recorded request go out first.
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
    if (now - this.loggedAt < logPauseMs) return
    this.loggedAt = now
    this.log.error('analytics records are lost', { sink: this.sink.name, reason, lost: this.dropped })
  }
}
