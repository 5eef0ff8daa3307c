/** Rolling logs: the requests of the last period count. What was observed determines the state. */
import type { Group } from '../trace/trace-and-history.ts'
import { trailingBound } from './at-most-bounds.ts'
import { type Automaton, runAutomaton } from './automaton.ts'
import { contradictionOf, type Model, type Range, type RateLimit, slackMs } from './model.ts'

export type Counted = 'admitted' | 'all'

export function rollingLog(limit: RateLimit, counted: Counted): Model {
  const model: Model = {
    kind: 'rolling-log',
    upper: () => trailingBound(limit),
    name: counted === 'admitted' ? 'rolling log' : 'rolling log that counts rejected requests too',
    explain(groups) {
      for (const [index, group] of groups.entries()) {
        if (group.answeredAt - group.sentAt > limit.periodMs / 2) return { learned: model }
        const used = countBefore(groups, index, limit.periodMs, counted)
        const allowed = {
          min: Math.min(group.count, Math.max(0, limit.count - used.max)),
          max: Math.min(group.count, Math.max(0, limit.count - used.min)),
        }
        if (group.admitted < allowed.min || group.admitted > allowed.max)
          return { contradiction: contradictionOf(index, group.admitted, allowed) }
      }
      return { learned: model }
    },
  }
  return model
}

/** Sums of the requests before each group, kept because each group of a history needs them. */
const sums = new WeakMap<readonly Group[], Readonly<Record<Counted, readonly number[]>>>()

function sumsOf(groups: readonly Group[]): Readonly<Record<Counted, readonly number[]>> {
  const known = sums.get(groups)
  if (known !== undefined) return known
  const [admitted, all] = [[0], [0]]
  for (const [index, group] of groups.entries()) {
    admitted.push((admitted[index] ?? 0) + group.admitted)
    all.push((all[index] ?? 0) + group.count)
  }
  const found = { admitted, all }
  sums.set(groups, found)
  return found
}

/** How many requests from the group `since` on surely and possibly count when the group `index` is decided. */
export function countBefore(
  groups: readonly Group[],
  index: number,
  periodMs: number,
  counted: Counted,
  since = 0,
): Range {
  const group = groups[index]
  if (group === undefined) return { min: 0, max: 0 }
  const slack = slackMs(periodMs)
  const sum = sumsOf(groups)[counted]
  const until = sum[index] ?? 0
  const surely = firstIndex(
    since,
    index,
    (earlier) => group.answeredAt - (groups[earlier]?.sentAt ?? 0) < periodMs - slack,
  )
  const possibly = firstIndex(
    since,
    surely,
    (earlier) => group.sentAt - (groups[earlier]?.answeredAt ?? 0) <= periodMs + slack,
  )
  return { min: until - (sum[surely] ?? 0), max: until - (sum[possibly] ?? 0) }
}

/** The first index for which the condition holds, which then holds for all later ones. */
function firstIndex(from: number, to: number, holds: (index: number) => boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Until when all requests are rejected: a range of instants, or `undefined` without a block. */
type Block = Range | undefined

/** A rolling log of all requests that blocks a client for a whole period once it reaches the limit. */
export function blockingLog(limit: RateLimit): Model {
  const { count, periodMs } = limit
  const slack = slackMs(periodMs)
  const model: Model = {
    kind: 'rolling-log',
    upper: () => trailingBound(limit),
    name: 'rolling log that blocks a client for a whole period when it reaches the limit',
    explain(groups) {
      const automaton: Automaton<Block> = {
        initial: [undefined],
        textOf: (block) => (block === undefined ? 'none' : `${block.min.toFixed(2)} ${block.max.toFixed(2)}`),
        outcomes(block, group, index) {
          if (group.answeredAt - group.sentAt > periodMs / 2) return undefined
          const mayBeBlocked = block !== undefined && group.sentAt < block.max + slack
          const mayBeOpen = block === undefined || group.answeredAt >= block.min - slack
          const used = countBefore(groups, index, periodMs, 'all')
          const most = Math.min(group.count, Math.max(1, count - used.min))
          const fewest = Math.min(group.count, Math.max(1, count - used.max))
          const begun = { min: group.sentAt + periodMs, max: group.answeredAt + periodMs }
          return [
            ...(mayBeBlocked ? [{ min: 0, max: 0, next: () => block }] : []),
            // With fewer than the limit in the log the client stays open; with more the last admitted request blocks it.
            ...(mayBeOpen
              ? [
                  { min: fewest, max: most, next: () => begun },
                  ...(group.count + used.min < count
                    ? [{ min: group.count, max: group.count, next: () => undefined }]
                    : []),
                ]
              : []),
            ...(mayBeBlocked && mayBeOpen && group.count > 1 ? [{ min: 0, max: most, next: () => begun }] : []),
          ]
        },
      }
      const run = runAutomaton(automaton, groups)
      return run.contradiction === undefined ? { learned: model } : run
    },
  }
  return model
}
