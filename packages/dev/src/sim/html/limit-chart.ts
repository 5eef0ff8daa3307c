/** A chart of one limit: how many requests of the window that ends at each moment were admitted, beside the limit. */
import type { History, LimitOfPlan } from '@turnpike/cluster-sim'
import { escapeHtml } from '@turnpike/core/lib'

const width = 900
const height = 150
const left = 40
const right = 16
const floor = 124
const room = 100

export function limitChart({ words, what, count, seconds, counts }: LimitOfPlan, history: History): string {
  const admittedAt = history.exchanges
    .filter((one) => one.status === 200 && counts(one))
    .map(({ endedAt = 0 }) => endedAt)
    .sort((a, b) => a - b)
  const windowMs = seconds > 0 ? seconds * 1000 : Number.POSITIVE_INFINITY
  const points = usage(admittedAt, windowMs, history.endedAt)
  const most = Math.max(count, ...points.map(({ used }) => used)) * 1.1
  const x = (at: number) => left + (at / Math.max(1, history.endedAt)) * (width - left - right)
  const y = (value: number) => floor - (value / most) * room
  let path = `M${x(0).toFixed(1)} ${floor}`
  for (const { at, used } of points) path += `H${x(at).toFixed(1)}V${y(used).toFixed(1)}`
  const limit = y(count).toFixed(1)
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(words)}">
<line x1="${left}" x2="${width - right}" y1="${floor}" y2="${floor}" stroke="var(--line)"/>
<line x1="${left}" x2="${width - right}" y1="${limit}" y2="${limit}" stroke="var(--limit)" stroke-dasharray="6 4"/>
<text x="4" y="${Number(limit) + 4}">${count}</text><text x="4" y="${floor}">0</text>
<path d="${path}H${x(history.endedAt).toFixed(1)}" fill="none" stroke="var(--pass)" stroke-width="2"/>
<text x="${left}" y="${height - 8}">${what === 'rate' ? `admitted in the last ${seconds} s` : 'admitted in the quota period'}</text>
<text x="${width - right}" y="${height - 8}" text-anchor="end">${(history.endedAt / 1000).toFixed(1)} s</text>
</svg>`
}

/** The moments at which the number of admitted requests in the window changes. */
function usage(admittedAt: readonly number[], windowMs: number, endedAt: number): { at: number; used: number }[] {
  const changes = [
    ...admittedAt.map((at) => ({ at, by: 1 })),
    ...admittedAt.map((at) => ({ at: at + windowMs, by: -1 })).filter(({ at }) => at <= endedAt),
  ].sort((a, b) => a.at - b.at || a.by - b.by)
  let used = 0
  return changes.map(({ at, by }) => {
    used += by
    return { at, used }
  })
}
