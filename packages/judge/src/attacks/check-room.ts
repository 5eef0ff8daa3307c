/** A fresh client gets the whole limit at once, unless the limiter is a bucket with the room that the user states. */
import { roomOf } from '../models/lower-bounds.ts'
import type { RateLimit } from '../models/model.ts'
import type { History, Statement } from '../trace/trace-and-history.ts'

/**
 * A room of one request is a limiter that spaces requests, and none is a bucket that is empty at first: both keep the
 * rate, so only a room in between is a mistake.
 */
export function roomStatement(limits: readonly RateLimit[], history: History): Statement | undefined {
  const room = roomOf(history.groups)
  const documented = Math.min(...limits.map(({ count, burst = count }) => burst))
  if (room === undefined || room < 2 || room >= documented) return undefined
  const hint = `if it is a bucket with room for ${room}, state --burst ${room}`
  const text = `a fresh client gets ${room} requests in a row, documented are ${documented}; ${hint}`
  return { text, group: room, mistake: 'less room than documented' }
}
