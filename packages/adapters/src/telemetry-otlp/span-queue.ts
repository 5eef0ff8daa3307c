/**
 * Collects finished spans and exports them in batches. The queue is bounded: if the collector is slower than the spans,
 * spans are dropped, and requests never wait.
 */
import type { Cancel, Clock } from '@turnpike/core/ports'
import type { ExportReport } from './export-report.ts'
import { settledWithin } from './metrics-timer.ts'
import type { SendResult } from './otlp-sender.ts'
import type { SpanData, SpanSink } from './span-data.ts'

export interface SpanQueueOptions {
  readonly clock: Clock
  readonly report: ExportReport
  /**
   * Encodes a span. It is called when the span ends: a waiting span is bytes outside the heap, and the work is not done for
   * a whole batch at once.
   */
  readonly encode: (span: SpanData) => Uint8Array
  /** Sends one batch. Never rejects. */
  readonly send: (spans: readonly Uint8Array[]) => Promise<SendResult>
  /** Longest time that a span waits for its batch. 0: each span is sent when it ends. */
  readonly delayMs: number
}

/** The values that the specification of the batch processor of OpenTelemetry has as defaults. */
const maxQueued = 2048
const batchSize = 512

const maxAttempts = 5
const firstBackoffMs = 1000

export class SpanQueue implements SpanSink {
  private readonly options: SpanQueueOptions
  private queued: Uint8Array[] = []
  private cancelTimer: Cancel | undefined = undefined
  private sending: Promise<void> | undefined = undefined
  private endBackoff: (() => void) | undefined = undefined
  private isClosing = false

  constructor(options: SpanQueueOptions) {
    this.options = options
  }

  add(span: SpanData): void {
    const { queued, options } = this
    if (queued.length >= maxQueued) {
      options.report.lost(1, 'the queue is full')
      return
    }
    queued.push(options.encode(span))
    if (this.sending === undefined) this.schedule()
  }

  /** Sends what is queued; spans that are not sent after `maxMs` are dropped. */
  async close(maxMs: number): Promise<void> {
    this.isClosing = true
    this.endBackoff?.()
    this.start()
    await settledWithin(this.options.clock, maxMs, this.sending)
    if (this.queued.length > 0) this.options.report.lost(this.queued.length, 'the gateway stopped')
    this.queued = []
  }

  private schedule(): void {
    const { queued, options } = this
    if (queued.length >= batchSize || options.delayMs === 0 || this.isClosing) this.start()
    else this.cancelTimer ??= options.clock.after(options.delayMs, () => this.start())
  }

  private start(): void {
    this.cancelTimer?.()
    this.cancelTimer = undefined
    this.sending ??= this.sendAll().finally(() => {
      this.sending = undefined
      // Spans that ended during the last send.
      if (this.queued.length > 0) this.schedule()
    })
  }

  private async sendAll(): Promise<void> {
    do {
      const batch = this.queued.splice(0, batchSize)
      if (batch.length === 0) return
      if (!(await this.sendBatch(batch))) this.options.report.lost(batch.length, 'they could not be sent')
    } while (this.queued.length >= batchSize || (this.isClosing && this.queued.length > 0))
  }

  /** Returns false if the batch is lost. While it is sent again, the queue collects further spans. */
  private async sendBatch(batch: readonly Uint8Array[]): Promise<boolean> {
    const { send, report } = this.options
    for (let attempt = 1; ; attempt++) {
      const result = await send(batch)
      if (result.kind === 'sent') {
        report.succeeded()
        return true
      }
      report.failed(result.reason)
      if (!result.mayRetry || attempt === maxAttempts || this.isClosing) return false
      await this.backOff(Math.max(result.retryAfterMs ?? 0, firstBackoffMs * 2 ** (attempt - 1)))
    }
  }

  private backOff(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.options.clock.after(ms, resolve)
      this.endBackoff = () => {
        cancel()
        resolve()
      }
    })
  }
}
