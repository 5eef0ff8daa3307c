/** Formats a run as lines in order of time: steps, requests with their responses, and configuration changes. */
import type { History } from '../run/history.ts'
import { showStep } from '../run/show-plan.ts'

interface Line {
  readonly at: number
  /** At one instant, steps precede their effects. */
  readonly order: number
  readonly text: string
}

/** A text of many lines, each with its time in ms. */
export function timelineOf({ exchanges, done, served }: History): string {
  const lines: Line[] = []
  for (const { step, startedAt, endedAt, problem } of done) {
    lines.push({ at: startedAt, order: 0, text: showStep(step) })
    if (problem !== undefined) lines.push({ at: endedAt ?? startedAt, order: 2, text: `  failed: ${problem}` })
    else if (endedAt !== undefined && endedAt > startedAt) {
      lines.push({ at: endedAt, order: 2, text: `  done, after ${endedAt - startedAt} ms: ${showStep(step)}` })
    }
  }
  for (const one of exchanges) {
    lines.push({ at: one.startedAt, order: 1, text: `request ${one.id} on ${one.node}, key ${one.key}` })
    const left = Number.isNaN(one.remaining) ? '' : `, ${one.remaining} remain`
    if (one.endedAt !== undefined) {
      lines.push({
        at: one.endedAt,
        order: 3,
        text: `request ${one.id} ${verdictOf(one.status)} (${one.status}${left})`,
      })
    }
  }
  const serves = new Map<string, number>()
  for (const { at, node, version } of served) {
    if (at >= 0 && serves.get(node) !== version) lines.push({ at, order: 2, text: `${node} serves version ${version}` })
    serves.set(node, version)
  }
  const sorted = lines.toSorted((a, b) => a.at - b.at || a.order - b.order)
  const width = String(Math.max(0, ...sorted.map(({ at }) => at))).length
  return sorted.map(({ at, text }) => `${String(at).padStart(width)} ms  ${text}`).join('\n')
}

function verdictOf(status: number): string {
  if (status === 200) return 'admitted'
  return status >= 500 ? 'failed' : 'rejected'
}
