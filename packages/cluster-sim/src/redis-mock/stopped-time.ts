/**
 * The time of the mock. It reads `Date` for expiries and `Date` with `process.hrtime` for TIME, and accepts no other
 * clock. Each command is executed synchronously, so both are replaced only for the duration of a command.
 */
import type { Millis } from '@turnpike/core'

/** Carries `work` out, which must not wait for anything, at an instant; `micros` (0 to 999) is behind its ms. */
export function atInstant<T>(now: Millis, micros: number, work: () => T): T {
  const { Date: realDate } = globalThis
  const { hrtime } = process
  const ms = Math.floor(now)
  const inSecond = ms % 1000
  // TIME rounds a date to the nearest second, and takes the microseconds from elsewhere: a date is a whole second.
  const date = new Proxy(realDate, {
    construct: () => new realDate(ms - inSecond),
    get: (target, name) => (name === 'now' ? () => ms : Reflect.get(target, name)),
  })
  globalThis.Date = date
  process.hrtime = (() => [0, (inSecond * 1000 + micros) * 1000]) as unknown as typeof hrtime
  try {
    return work()
  } finally {
    globalThis.Date = realDate
    process.hrtime = hrtime
  }
}
