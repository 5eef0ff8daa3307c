/** How much room a bucket needs for what it has admitted. */
import type { Group } from '../trace/trace-and-history.ts'
import { slackMs } from './model.ts'

/**
 * For each group, the room of a bucket that gains `perMs` requests each ms: between two groups i and j it admits at most
 * its room and what flows in.
 */
export function levelsNeeded(groups: readonly Group[], perMs: number): readonly number[] {
  // `slackMs` grows with the time, so it is a part of the rate.
  const rate = perMs * (1 + slackMs(1) - slackMs(0))
  // Small numbers are more precise than instants since the epoch.
  const start = groups[0]?.sentAt ?? 0
  let admitted = 0
  let highest = Number.NEGATIVE_INFINITY
  return groups.map((group) => {
    highest = Math.max(highest, rate * (group.sentAt - start) - admitted)
    admitted += group.admitted
    return admitted - rate * (group.answeredAt - start) + highest - perMs * slackMs(0)
  })
}
