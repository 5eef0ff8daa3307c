/**
 * Estimates the time of Redis, because names of fixed windows contain the start of the window. All nodes use this time,
 * regardless of their own clocks.
 */
import type { Millis } from '@turnpike/core/lib'
import type { Clock } from '@turnpike/core/ports'
import type { RedisConnection } from './redis-connection.ts'

export interface StoreTime {
  /** The estimated time of Redis. */
  now(): Millis
  /** The time of this node, for results such as `resetAt`. */
  here(): Millis
  /** Synchronises with Redis. Call it when Redis becomes available, and regularly. Never rejects. */
  learn(): Promise<void>
}

export function makeStoreTime(
  connection: Pick<RedisConnection, 'call' | 'timers'>,
  clock: Pick<Clock, 'now'>,
): StoreTime {
  const { timers } = connection
  // Based on monotonic timers, so that a change of the node's clock has no effect.
  let ahead: Millis | undefined
  let isLearning = false
  return {
    now: () => (ahead === undefined ? clock.now() : timers.now() + ahead),
    here: () => clock.now(),
    async learn() {
      if (isLearning) return
      isLearning = true
      const sentAt = timers.now()
      try {
        const [seconds, micros] = await connection.call((redis) => redis.time())
        const receivedAt = timers.now()
        const redisTime = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
        // The error of the estimate is up to half of the round trip.
        if (receivedAt - sentAt < 500) ahead = redisTime - Math.round((sentAt + receivedAt) / 2)
      } catch {
        // The last estimate stays in use.
      } finally {
        isLearning = false
      }
    },
  }
}
