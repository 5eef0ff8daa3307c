/** Spacing: one request in each interval of `periodMs / count`. Some limiters let each come early by `slackMs`. */
import { bucketBound, withSlack } from './at-most-bounds.ts'
import { contradictionOf, type Model, type RateLimit, secondsOf, slackMs } from './model.ts'

export function spacing(limit: RateLimit): Model {
  const interval = limit.periodMs / limit.count
  const shortest = Math.max(0.1, interval - (limit.slackMs ?? 0))
  const model: Model = {
    kind: 'spacing',
    upper: () => bucketBound(withSlack(limit), 1),
    name: `limiter with one request in every ${secondsOf(interval)}`,
    explain(groups) {
      let last: { readonly sentAt: number; readonly answeredAt: number } | undefined
      for (const [index, group] of groups.entries()) {
        const longest = group.answeredAt - (last?.sentAt ?? group.sentAt)
        const least = group.sentAt - (last?.answeredAt ?? Number.NEGATIVE_INFINITY)
        const more = Math.floor((longest + slackMs(longest)) / shortest)
        const max = Math.min(group.count, last === undefined ? 1 + more : more)
        const min = least > interval + slackMs(interval) ? 1 : 0
        if (group.admitted < min || group.admitted > max)
          return { contradiction: contradictionOf(index, group.admitted, { min, max: Math.max(min, max) }) }
        if (group.admitted > 0) last = group
      }
      return { learned: model }
    },
  }
  return model
}
