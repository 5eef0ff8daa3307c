/** Upper bounds of logs and buckets: what such a limiter admits at most. It may reject more. */
import type { Group } from '../trace/trace-and-history.ts'
import { levelsNeeded } from './levels-needed.ts'
import { contradictionOf, type Model, type RateLimit, secondsOf, slackMs } from './model.ts'

/** A limiter that lets requests come early by `slackMs` each admits `count` of them in a period that much shorter. */
export function withSlack(limit: RateLimit): RateLimit {
  const { count, periodMs, slackMs: early = 0 } = limit
  return early === 0 ? limit : { ...limit, periodMs: Math.max(periodMs / 10, periodMs - count * early) }
}

/** At most `count` requests in every trailing period. */
export function trailingBound(limit: RateLimit): Model {
  const { count, periodMs } = limit
  const model: Model = {
    kind: 'rolling-log',
    name: `limiter with at most ${count} requests in every ${secondsOf(periodMs)}`,
    explain(groups) {
      let from = 0
      let admitted = 0
      for (const [index, group] of groups.entries()) {
        admitted += group.admitted
        // The instant of a decision is uncertain, so only what surely happened within a period counts.
        while (from < index && spanOf(groups, from, index) >= periodMs - slackMs(periodMs)) {
          admitted -= groups[from]?.admitted ?? 0
          from += 1
        }
        const max = Math.max(0, count - (admitted - group.admitted))
        const isSure = index > from || group.answeredAt - group.sentAt < periodMs - slackMs(periodMs)
        if (group.admitted > max && isSure)
          return { contradiction: contradictionOf(index, group.admitted, { min: 0, max }) }
      }
      return { learned: model }
    },
  }
  return model
}

function spanOf(groups: readonly Group[], from: number, to: number): number {
  return (groups[to]?.answeredAt ?? 0) - (groups[from]?.sentAt ?? 0)
}

/** At most `room` requests at once, and what flows in at the rate. */
export function bucketBound(limit: RateLimit, room: number): Model {
  const perMs = limit.count / limit.periodMs
  const model: Model = {
    kind: 'token-bucket',
    name: `limiter with at most ${room} requests at once and ${limit.count} more in every ${secondsOf(limit.periodMs)}`,
    explain(groups) {
      for (const [index, needed] of levelsNeeded(groups, perMs).entries()) {
        const { admitted } = groups[index] as Group
        if (admitted === 0 || needed <= room + 1e-3) continue
        const max = Math.max(0, Math.floor(room + 1e-3 - (needed - admitted)))
        return { contradiction: contradictionOf(index, admitted, { min: 0, max: Math.min(max, admitted - 1) }) }
      }
      return { learned: model }
    },
  }
  return model
}
