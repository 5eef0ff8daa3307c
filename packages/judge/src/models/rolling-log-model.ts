/** Rolling logs: the requests of the last period count. What was observed determines the state. */
import type { Group } from '../trace/trace-and-history.ts'
import { type Automaton, runAutomaton } from './automaton.ts'
import { contradictionOf, type Model, type Range, type RateLimit, slackMs } from './model.ts'

export type Counted = 'admitted' | 'all'

export function rollingLog(limit: RateLimit, counted: Counted): Model {
  const model: Model = {
    kind: 'rolling-log',
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

/** How many earlier requests surely and possibly count when the group is decided. */
export function countBefore(groups: readonly Group[], index: number, periodMs: number, counted: Counted): Range {
  const group = groups[index]
  const slack = slackMs(periodMs)
  let min = 0
  let max = 0
  for (const earlier of groups.slice(0, index)) {
    for (const { sentAt, answeredAt, admitted } of earlier.exchanges) {
      if (!admitted && counted === 'admitted') continue
      if (group === undefined) continue
      if (group.answeredAt - sentAt < periodMs - slack) min += 1
      if (group.sentAt - answeredAt <= periodMs + slack) max += 1
    }
  }
  return { min, max }
}

/** Until when all requests are rejected: a range of instants, or `undefined` without a block. */
type Block = Range | undefined

/** A rolling log of all requests that blocks a client for a whole period once it reaches the limit. */
export function blockingLog(limit: RateLimit): Model {
  const { count, periodMs } = limit
  const slack = slackMs(periodMs)
  const model: Model = {
    kind: 'rolling-log',
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
