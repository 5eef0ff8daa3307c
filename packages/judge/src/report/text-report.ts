/** The report as lines for a terminal. */
import { type Confirmed, repetitions } from '../judging/confirm-suspicion.ts'
import type { LimitReport } from '../judging/limit-session.ts'
import { timelineLines, timelineOf } from './decision-timeline.ts'

export function reportLines(report: LimitReport, curl: (finding: Confirmed) => string): readonly string[] {
  return [
    `limit: ${report.limit.name}`,
    ...kindLines(report),
    ...report.findings.flatMap((finding) => ['', ...findingLines(finding, curl(finding))]),
    ...report.unconfirmed.flatMap((seen) => ['', ...unconfirmedLines(seen)]),
    ...(report.notes.length === 0 ? [] : ['', ...report.notes.map((note) => `usual for this kind: ${note}`)]),
    ...report.notJudged.map(({ what, why }) => `not judged: ${what}: ${why}`),
    `tried: ${report.tried.join(', ')}, seed ${report.limit.seed}`,
  ]
}

function kindLines({ kinds, ruledOut, limit }: LimitReport): readonly string[] {
  const [only] = kinds
  const found =
    kinds.length === 1 && only !== undefined
      ? `${only.name} (sure: calm traffic contradicts every other kind)`
      : `one of: ${kinds.map(({ name }) => name).join('; ')} (calm traffic fits them all)`
  return [
    `kind: ${limit.kind === 'auto' ? '' : `documented as ${limit.kind}; `}${found}`,
    ...ruledOut.map(({ model, because }) => `  no ${model.name}: ${because}`),
  ]
}

function findingLines({ suspicion, history, statement }: Confirmed, script: string): readonly string[] {
  const rows = timelineOf(history, history.groups[statement.group])
  return [
    `contradicts its documentation (${suspicion.attack}): ${statement.text}`,
    `  ${suspicion.title}; seen in ${repetitions} of ${repetitions} repetitions alone, client ${history.client}:`,
    ...timelineLines(rows).map((line) => `  ${line}`),
    '  with curl:',
    ...script
      .trimEnd()
      .split('\n')
      .map((line) => `    ${line}`),
  ]
}

function unconfirmedLines({ suspicion, statement, seen, repeated, notRun }: Confirmed): readonly string[] {
  const why = notRun === undefined ? `${seen} of ${repeated} repetitions alone` : `${seen} of ${repeated}: ${notRun}`
  return [`seen once, not repeated (${suspicion.attack}; ${why}): ${statement.text}`]
}
