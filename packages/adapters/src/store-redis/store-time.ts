/**
 * The time of Redis as this node knows it, for what must be worked out before Redis is asked: names of fixed windows
 * hold their start. All nodes go by it, whatever their own clocks say.
 */
import type { Clock, Millis } from '@turnpike/core'
import type { RedisLink } from './redis-link.ts'

export interface StoreTime {
  /** Of Redis, as far as it is known. */
  now(): Millis
  /** Of this node: instants that are handed out are its own. */
  here(): Millis
  /** Asks Redis; to be called when it is back, and now and then. Never rejects. */
  learn(): Promise<void>
}

export function makeStoreTime(link: Pick<RedisLink, 'call' | 'timers'>, clock: Pick<Clock, 'now'>): StoreTime {
  const { timers } = link
  // By timers, which nobody sets: a node whose clock is set goes on in step with the others.
  let ahead: Millis | undefined
  let isAsking = false
  return {
    now: () => (ahead === undefined ? clock.now() : timers.now() + ahead),
    here: () => clock.now(),
    async learn() {
      if (isAsking) return
      isAsking = true
      const askedAt = timers.now()
      try {
        const [seconds, micros] = await link.call((redis) => redis.time())
        const answeredAt = timers.now()
        const told = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
        // A slow answer tells little.
        if (answeredAt - askedAt < 500) ahead = told - Math.round((askedAt + answeredAt) / 2)
      } catch {
        // What was known last goes on.
      } finally {
        isAsking = false
      }
    },
  }
}
