/**
 * Token buckets, leaky buckets that reject, and GCRA make the same decisions: a bucket of some capacity is full at
 * first, loses one token for each admitted request and gains `count` tokens in each period.
 */
import type { Group } from '../trace/trace-and-history.ts'
import { type Contradiction, contradictionOf, type Model, type Range, type RateLimit, slackMs } from './model.ts'

/** Rounding of the arithmetic of gateways, in requests. */
const rounding = 1e-3

export function tokenBucket(limit: RateLimit, known: Range = capacityOf(limit)): Model {
  const most = Math.floor(known.max + rounding)
  return {
    kind: 'token-bucket',
    name: known.max - known.min < 1 ? `token bucket with room for ${most}` : 'token bucket',
    explain(groups) {
      let capacity = known
      const needed = capacityNeeded(limit, groups)
      for (const [index, { atLeast, below }] of needed.entries()) {
        const min = Math.max(capacity.min, atLeast)
        const max = Math.min(capacity.max, below)
        // A rejection needs less than one token, so the capacity stays below the bound, and a full bucket never rejects.
        if (min <= max && min < below) capacity = { min, max }
        else return { contradiction: contradiction(limit, groups, index, capacity, atLeast > capacity.max) }
      }
      return { learned: tokenBucket(limit, capacity) }
    },
  }
}

function capacityOf({ count, burst }: RateLimit): Range {
  return burst === undefined ? { min: 1, max: Math.max(1, count) } : { min: burst, max: burst }
}

/**
 * Capacities that explain each group. Between two groups i and j the bucket admits at most its capacity and what flows
 * in; a rejection in j means that for some i less than one token was left of that.
 */
function capacityNeeded(limit: RateLimit, groups: readonly Group[]): { atLeast: number; below: number }[] {
  const perMs = limit.count / limit.periodMs
  return groups.map((group, j) => {
    let admitted = 0
    let atLeast = 1
    let below = Number.POSITIVE_INFINITY
    let lowest = Number.POSITIVE_INFINITY
    for (let i = j; i >= 0; i -= 1) {
      const from = groups[i]
      if (from === undefined) continue
      admitted += from.admitted
      const longest = group.answeredAt - from.sentAt
      const shortest = group.sentAt - from.answeredAt
      atLeast = Math.max(atLeast, admitted - perMs * (longest + slackMs(longest)) - rounding)
      lowest = Math.min(lowest, perMs * Math.max(0, shortest - slackMs(shortest)) - admitted)
    }
    if (group.admitted < group.count) below = 1 - lowest
    return { atLeast, below }
  })
}

function contradiction(
  limit: RateLimit,
  groups: readonly Group[],
  index: number,
  capacity: Range,
  isTooMany: boolean,
): Contradiction {
  const group = groups[index] as Group
  const perMs = limit.count / limit.periodMs
  let before = 0
  let tokens = { min: capacity.min, max: capacity.max }
  for (let i = index - 1; i >= 0; i -= 1) {
    const from = groups[i] as Group
    before += from.admitted
    const shortest = group.sentAt - from.answeredAt
    const longest = group.answeredAt - from.sentAt
    tokens = {
      min: Math.min(tokens.min, capacity.min - before + perMs * Math.max(0, shortest - slackMs(shortest))),
      max: Math.min(tokens.max, capacity.max - before + perMs * (longest + slackMs(longest))),
    }
  }
  const within = perMs * (group.answeredAt - group.sentAt)
  const allowed = {
    min: Math.min(group.count, Math.max(0, Math.floor(tokens.min + rounding))),
    max: Math.min(group.count, Math.max(0, Math.floor(tokens.max + within + rounding))),
  }
  if (isTooMany)
    return contradictionOf(index, group.admitted, { ...allowed, max: Math.min(allowed.max, group.admitted - 1) })
  return { group: index, allowed: { ...allowed, min: Math.max(allowed.min, group.admitted + 1) }, direction: 'too few' }
}
