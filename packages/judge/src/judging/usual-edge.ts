/** More than the limit within a period is no mistake if the kind of the limiter explains it. */
import type { RateLimit } from '../models/model.ts'
import { findContradiction, type Standard } from '../models/standard.ts'
import type { History } from '../trace/trace-and-history.ts'

/** Says how many requests are admitted within a period, if that is more than the limit and usual for the kind. */
export function busierEdge(standard: Standard, limit: RateLimit, history: History): string | undefined {
  if (findContradiction(standard, history) !== undefined) return undefined
  const { kinds } = standard
  const admitted = history.groups.filter((group) => group.admitted > 0)
  let busiest = { requests: limit.count, span: 0 }
  for (const first of admitted) {
    const inside = admitted.filter(({ sentAt }) => sentAt >= first.sentAt && sentAt < first.sentAt + limit.periodMs)
    const last = inside.at(-1)
    if (inside.length <= busiest.requests || last === undefined) continue
    busiest = { requests: inside.length, span: Math.round(last.answeredAt - first.sentAt) }
  }
  if (busiest.requests === limit.count) return undefined
  const isBucket = kinds.length > 0 && kinds.every(({ kind }) => kind === 'token-bucket' || kind === 'delaying')
  const why = isBucket ? 'because room is gained in the meantime' : 'round the edge of a window'
  return `${busiest.requests} requests within ${busiest.span} ms are admitted ${why}`
}
