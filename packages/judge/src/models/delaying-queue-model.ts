/** Leaky buckets that delay: requests wait in a queue and leave it one by one, at even distances. */
import type { Group } from '../trace/trace-and-history.ts'
import { bucketBound } from './at-most-bounds.ts'
import { levelsNeeded } from './levels-needed.ts'
import { contradictionOf, type Model, type RateLimit } from './model.ts'

/**
 * Responses are bounded by the rate: between the first and the last of n admitted requests there are n − 1 distances.
 * Requests one after the other never find the queue full, so none is rejected.
 */
export function delayingQueue(limit: RateLimit): Model {
  const perMs = limit.count / limit.periodMs
  const model: Model = {
    kind: 'delaying',
    upper: () => bucketBound(limit, 1),
    name: 'leaky bucket that delays requests',
    explain(groups) {
      const needed = levelsNeeded(groups, perMs)
      for (const [j, group] of groups.entries()) {
        if (group.count === 1 && group.admitted === 0 && groups.slice(0, j).every(({ count }) => count === 1))
          return { contradiction: contradictionOf(j, 0, { min: 1, max: 1 }) }
        const max = Math.max(0, Math.floor(1 + 1e-3 - ((needed[j] ?? 0) - group.admitted)))
        if (group.admitted > max) return { contradiction: contradictionOf(j, group.admitted, { min: 0, max }) }
      }
      return { learned: model }
    },
  }
  return model
}

/** Shorter distances are not distinguished from the latency of a gateway. */
const minDistanceMs = 20
const minDelayed = 5

/**
 * Returns true if the gateway delays requests one after the other to the distance of its rate: the first response is
 * quick, and the next ones come a distance after each other. A slow upstream delays the first one as well.
 */
export function delaysRequests({ count, periodMs }: RateLimit, groups: readonly Group[]): boolean {
  const distance = periodMs / count
  const [first] = groups
  if (first === undefined || distance < minDistanceMs || latencyOf(first) > 0.3 * distance) return false
  let delayed = 0
  for (const [i, group] of groups.entries()) {
    const before = groups[i - 1]
    if (before === undefined) continue
    const gap = group.answeredAt - before.answeredAt
    const isDelayed =
      group.count === 1 && group.admitted === 1 && gap > 0.8 * distance && latencyOf(group) > 0.6 * distance
    delayed = isDelayed ? delayed + 1 : 0
    if (delayed === minDelayed) return true
  }
  return false
}

function latencyOf({ sentAt, answeredAt }: Group): number {
  return answeredAt - sentAt
}
