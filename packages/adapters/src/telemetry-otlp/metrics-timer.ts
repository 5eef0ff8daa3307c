/** Exports metrics at intervals. Values are cumulative, so a failed export is made up for by the next one. */
import type { Cancel, Clock } from '@turnpike/core/ports'
import type { ExportReport } from './export-report.ts'
import type { SendResult } from './otlp-sender.ts'

export interface MetricsTimerOptions {
  readonly clock: Clock
  readonly report: ExportReport
  readonly intervalMs: number
  /** Sends the current values. Never rejects. */
  readonly send: () => Promise<SendResult>
}

export interface MetricsTimer {
  /** Sends the last values, and waits at most this long for the response. */
  close(maxMs: number): Promise<void>
}

export function startMetricsTimer({ clock, report, intervalMs, send }: MetricsTimerOptions): MetricsTimer {
  let cancelNext: Cancel | undefined
  let isClosed = false
  const exportNow = async () => {
    const result = await send()
    if (result.kind === 'sent') report.succeeded()
    else report.failed(result.reason)
  }
  // The next interval starts after the response, so that exports to a slow collector do not pile up.
  const schedule = () => {
    if (isClosed) return
    cancelNext = clock.after(intervalMs, () => void exportNow().then(schedule))
  }
  schedule()
  return {
    async close(maxMs) {
      isClosed = true
      cancelNext?.()
      await settledWithin(clock, maxMs, exportNow())
    },
  }
}

/** Waits for the promise, but at most this long. */
export async function settledWithin(clock: Clock, maxMs: number, promise: Promise<void> | undefined): Promise<void> {
  let cancel: Cancel | undefined
  const timeout = new Promise<void>((resolve) => {
    cancel = clock.after(maxMs, resolve)
  })
  await Promise.race([promise, timeout])
  cancel?.()
}
