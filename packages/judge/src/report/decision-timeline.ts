/** The timeline of a history, one line for each group of requests. */
import type { Group, History } from '../trace/trace-and-history.ts'

export interface TimelineRow {
  readonly atMs: number
  readonly requests: number
  readonly together: boolean
  readonly admitted: number
  readonly statuses: string
  readonly label?: string
  /** True for the requests that show the mistake. */
  readonly isHere: boolean
}

/** Rows of a history. Consecutive requests of one step with the same result are one row. */
export function timelineOf(history: History, wrong: Group | undefined): readonly TimelineRow[] {
  const rows: (TimelineRow & { readonly step: number })[] = []
  for (const group of history.groups) {
    const statuses = statusesOf(group)
    const isHere = group === wrong
    const last = rows.at(-1)
    if (last !== undefined && !isHere && !last.isHere && last.step === group.step && last.statuses === statuses)
      rows[rows.length - 1] = {
        ...last,
        requests: last.requests + group.count,
        admitted: last.admitted + group.admitted,
      }
    else {
      const label = history.trace.steps[group.step]?.variant?.label
      rows.push({
        atMs: Math.round(group.sentAt - history.startedAt),
        requests: group.count,
        together: group.count > 1,
        admitted: group.admitted,
        statuses,
        ...(label !== undefined && { label }),
        isHere,
        step: group.step,
      })
    }
  }
  return rows.map(({ step: _, ...row }) => row)
}

function statusesOf({ exchanges }: Group): string {
  const counts = new Map<number, number>()
  for (const { status } of exchanges) counts.set(status, (counts.get(status) ?? 0) + 1)
  if (counts.size === 1) return String([...counts.keys()][0])
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ')
}

export function timelineLines(rows: readonly TimelineRow[]): readonly string[] {
  const width = String(Math.max(...rows.map(({ atMs }) => atMs), 0)).length
  return rows.map(({ atMs, requests, together, admitted, statuses, label, isHere }) => {
    const what = requests === 1 ? '1 request' : `${requests} requests${together ? ' at once' : ''}`
    const result = `${admitted} admitted, ${requests - admitted} rejected (${statuses})`
    return `${String(atMs).padStart(width)} ms  ${what.padEnd(20)}  ${result}${label === undefined ? '' : `, ${label}`}${isHere ? '  <- here' : ''}`
  })
}
