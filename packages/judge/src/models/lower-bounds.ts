/**
 * What every limiter admits: a client that was idle for two periods within its limit, a client whose requests come slower
 * than the rate, and a fresh client as many in a row as another one got.
 */
import type { Group } from '../trace/trace-and-history.ts'
import { contradictionOf, type Model, type RateLimit, slackMs } from './model.ts'

/** How much slower than the rate a client is that no limiter rejects, whatever it rounds. */
const paceMargin = 0.25

/**
 * Several limits at once have the rate and the rest of the slowest one. `room`: how many requests in a row a fresh
 * client was admitted when it was alone.
 */
export function lowerBounds(limits: readonly RateLimit[], room = Number.POSITIVE_INFINITY): Model {
  const restMs = 2 * Math.max(...limits.map(({ periodMs }) => periodMs))
  const blockMs = Math.max(...limits.map(({ blockMs = Number.POSITIVE_INFINITY }) => blockMs))
  const spacingMs = (1 + paceMargin) * Math.max(...limits.map(({ count, periodMs }) => periodMs / count))
  return {
    kind: 'rolling-log',
    name: 'limiter of this limit',
    explain(groups) {
      let isPaced = true
      let sent = 0
      let isRejected = false
      for (const [index, group] of groups.entries()) {
        const before = groups[index - 1]
        const gap = before === undefined ? Number.POSITIVE_INFINITY : group.sentAt - before.answeredAt
        isPaced &&= group.count === 1 && gap >= spacingMs + slackMs(spacingMs)
        // A limiter may block clients that have exceeded the limit, for a time that is known only if it is stated.
        const rest = restMs + (isRejected ? blockMs : 0)
        const isRested = before !== undefined && gap > rest + slackMs(rest)
        const isOwed = isRested || (!isRejected && index > 0 && isPaced)
        const inRoom = isRejected || !Number.isFinite(room) ? 0 : room - sent
        const min = Math.min(group.count, Math.max(isOwed ? 1 : 0, inRoom))
        if (group.admitted < min)
          return { contradiction: contradictionOf(index, group.admitted, { min, max: group.count }) }
        sent += group.count
        isRejected ||= group.admitted < group.count
      }
      return { learned: lowerBounds(limits, Math.min(room, roomOf(groups) ?? room)) }
    },
  }
}

/** How many requests in a row a fresh client was admitted before the first rejection; `undefined` if there is none. */
export function roomOf(groups: readonly Group[]): number | undefined {
  let admitted = 0
  for (const group of groups) {
    if (group.step > 0) return undefined
    admitted += group.admitted
    if (group.admitted < group.count) return admitted
  }
  return undefined
}
