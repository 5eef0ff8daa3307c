/** Reports failed exports: one line at the first failure, then a summary at intervals, and a line when exports succeed again. */
import type { Clock, Log } from '@turnpike/core/ports'

/** Milliseconds between two summaries. */
const summaryMs = 60_000

export class ExportReport {
  private readonly log: Log
  private readonly clock: Clock
  private readonly endpoint: string
  private reportedAt: number | undefined = undefined
  private failures = 0
  private dropped = 0
  /** Spans that were dropped since the start. */
  droppedSpans = 0

  constructor(log: Log, clock: Clock, endpoint: string) {
    this.log = log
    this.clock = clock
    this.endpoint = endpoint
  }

  succeeded(): void {
    // Spans are also dropped while exports succeed, if they are faster than the collector.
    if (this.reportedAt === undefined || this.failures === 0) return
    this.log.info('telemetry is exported again', { endpoint: this.endpoint, droppedSpans: this.dropped })
    this.reportedAt = undefined
    this.failures = 0
    this.dropped = 0
  }

  failed(reason: string): void {
    this.failures += 1
    this.report('telemetry cannot be exported', { reason })
  }

  /** Called for spans that the queue had no room for, or that were not sent in time. */
  lost(spans: number, reason: string): void {
    this.dropped += spans
    this.droppedSpans += spans
    this.report('spans are dropped', { reason })
  }

  private report(message: string, fields: Readonly<Record<string, unknown>>): void {
    const now = this.clock.now()
    if (this.reportedAt !== undefined && now - this.reportedAt < summaryMs) return
    const { endpoint, failures, dropped } = this
    this.log.warn(message, { endpoint, ...fields, failedExports: failures, droppedSpans: dropped })
    this.reportedAt = now
  }
}
