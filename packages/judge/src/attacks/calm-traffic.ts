/** Calm traffic: one request after the other. No race can disturb it, so it shows the kind of the limiter. */
import type { RateLimit } from '../models/model.ts'
import type { Trace } from '../trace/trace-and-history.ts'
import { overflowOf } from './attack.ts'

export function calmTraces(limit: RateLimit): readonly Trace[] {
  const { count, periodMs } = limit
  const overflow = overflowOf(limit)
  const half = Math.ceil(count / 2)
  const step = (at: number, requests: number) => ({ atMs: Math.round(at * periodMs), count: requests, together: false })
  return [
    { steps: [step(0, overflow)] },
    // Buckets have refilled by half, logs and windows have not.
    { steps: [step(0, overflow), step(0.5, half + 1), step(1.15, overflow)] },
    // A window that started with the first request has ended, and a log has forgotten half of its requests.
    { steps: [step(0, half), step(0.6, overflow), step(1.12, overflow)] },
    // Sliding counters and logs remember the requests before the edge of the window.
    { steps: [step(0, 1), step(0.8, overflow), step(1.1, overflow)] },
    // This client begins later than the others, so no edge of a window that all clients share explains both.
    { steps: [step(0.4, count), step(1.15, 2)] },
    // A client that stays within the limit and rests is never rejected.
    { steps: [step(0, count), step(2.1, 1)] },
    // Rejected requests late in the period count or do not count.
    { steps: [step(0, count), step(0.8, Math.min(count, 3)), step(1.25, overflow)] },
  ]
}
