/** A clock that only advances when a test calls `run()`. */
import type { Clock } from '../../src/ports/clock.ts'

export interface ManualClock extends Clock {
  /** Advances by `ms`, fires the due timers in order and lets promises settle after each one. */
  run(ms: number): Promise<void>
}

export function makeManualClock(start = 0): ManualClock {
  let now = start
  let timers: { readonly at: number; readonly fire: () => void }[] = []
  const settle = async () => {
    for (let i = 0; i < 50; i++) await Promise.resolve()
  }
  return {
    now: () => now,
    after(delayMs, fire) {
      const timer = { at: now + delayMs, fire }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    breathe: () => Promise.resolve(),
    async run(ms) {
      const until = now + ms
      await settle()
      for (;;) {
        const due = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
        if (due === undefined) break
        timers = timers.filter((other) => other !== due)
        now = Math.max(now, due.at)
        due.fire()
        await settle()
      }
      now = until
    },
  } satisfies ManualClock
}
