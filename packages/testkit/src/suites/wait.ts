/** Waiting in suites that run in real time. */
import { vi } from 'vitest'

/** Polls until the condition is true. Rejects after `limitMs` (default 5 s). */
export async function until(condition: () => boolean, limitMs = 5_000): Promise<void> {
  await vi.waitUntil(condition, { timeout: limitMs, interval: 5 })
}
