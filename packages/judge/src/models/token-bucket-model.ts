/**
 * Token buckets, leaky buckets that reject, and GCRA make the same decisions: a bucket of some capacity is full at
 * first, loses one token for each admitted request and gains `count` tokens in each period.
 */
import type { Group } from '../trace/trace-and-history.ts'
import { bucketBound } from './at-most-bounds.ts'
import { levelsNeeded } from './levels-needed.ts'
import { type Contradiction, contradictionOf, type Model, type Range, type RateLimit, slackMs } from './model.ts'

/** Rounding of the arithmetic of gateways, in requests. */
const rounding = 1e-3

export function tokenBucket(limit: RateLimit, known: Range): Model {
  const most = Math.floor(known.max + rounding)
  return {
    kind: 'token-bucket',
    upper: () => bucketBound(limit, known.max),
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

/** Buckets with the stated room, or else with that of the limit or less. */
export function tokenBuckets(limit: RateLimit): readonly Model[] {
  const { count, burst = count } = limit
  const full = tokenBucket(limit, { min: burst, max: burst })
  if (limit.burst !== undefined || count < 2) return [full]
  return [full, tokenBucket(limit, { min: 1, max: count - 1 })]
}

/**
 * Capacities that explain each group. Between two groups i and j the bucket admits at most its capacity and what flows
 * in; a rejection in j means that for some i less than one token was left of that.
 */
function capacityNeeded(limit: RateLimit, groups: readonly Group[]): { atLeast: number; below: number }[] {
  const perMs = limit.count / limit.periodMs
  const needed = levelsNeeded(groups, perMs)
  const rate = perMs * (1 - slackMs(1) + slackMs(0))
  const start = groups[0]?.sentAt ?? 0
  // Sums of what was admitted before each group.
  const before = [0]
  for (const [i, { admitted }] of groups.entries()) before.push((before[i] ?? 0) + admitted)
  // Since groups before `close`, something has surely flowed in.
  let close = 0
  let lowest = Number.POSITIVE_INFINITY
  return groups.map((group, j) => {
    for (; close < j && surelyBetween(groups[close], group) > 0; close += 1)
      lowest = Math.min(lowest, (before[close] ?? 0) - rate * ((groups[close]?.answeredAt ?? 0) - start))
    const flowed = lowest + rate * (group.sentAt - start) - perMs * slackMs(0)
    const least = Math.min(flowed, before[close] ?? 0) - (before[j + 1] ?? 0)
    return {
      atLeast: Math.max(1, (needed[j] ?? 0) - rounding),
      below: group.admitted < group.count ? 1 - least : Number.POSITIVE_INFINITY,
    }
  })
}

function surelyBetween(from: Group | undefined, to: Group): number {
  const shortest = to.sentAt - (from?.answeredAt ?? to.sentAt)
  return shortest - slackMs(shortest)
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

/** A bucket that is empty, or has one token, when it is made at the first request of a client. */
export function bucketThatStartsEmpty(limit: RateLimit): Model {
  const room = Math.max(1, limit.burst ?? limit.count)
  const model: Model = {
    kind: 'token-bucket',
    upper: () => bucketBound(limit, room),
    name: `token bucket with room for ${room} that is empty at first`,
    explain(groups) {
      const [first] = groups
      if (first === undefined) return { learned: model }
      const runs = [room, room - 1].map((used) => {
        const taken = { ...first, answeredAt: first.sentAt, count: used, admitted: used, exchanges: [] }
        return tokenBucket(limit, { min: room, max: room }).explain([taken, ...groups])
      })
      const [empty, one] = runs.map(({ contradiction }) => contradiction)
      if (empty === undefined || one === undefined) return { learned: model }
      const later = one.group > empty.group ? one : empty
      return { contradiction: { ...later, group: Math.max(0, later.group - 1) } }
    },
  }
  return model
}
