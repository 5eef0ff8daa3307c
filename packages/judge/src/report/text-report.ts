/** The report as lines for a terminal. */
import { type Confirmed, repetitions } from '../judging/confirm-suspicion.ts'
import type { LimitReport } from '../judging/limit-report.ts'
import { timelineLines, timelineOf } from './decision-timeline.ts'

export function reportLines(report: LimitReport, curl: (finding: Confirmed) => string | undefined): readonly string[] {
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

/** True if the kind is known: no traffic contradicts it, and calm traffic contradicts every other kind. */
export function isSure({ kinds, oddity }: LimitReport): boolean {
  return kinds.length === 1 && oddity === undefined
}

function kindLines(report: LimitReport): readonly string[] {
  const { ruledOut, limit, oddity } = report
  const documented = limit.kind === 'auto' ? '' : `documented as ${limit.kind}; `
  return [
    `kind: ${documented}${kindOf(report)}`,
    ...(oddity === undefined ? [] : [`  within the bounds, but no kind of limiter: ${oddity}`]),
    ...ruledOut.map(({ model, because }) => `  no ${model.name}: ${because}`),
  ]
}

function kindOf(report: LimitReport): string {
  const { kinds, limit, tried } = report
  const names = kinds.map(({ name }) => name).join('; ')
  if (isSure(report)) return `${names} (sure: calm traffic contradicts every other kind)`
  if (kinds.length > 0 && report.oddity === undefined)
    return tried.includes('calm') ? `one of: ${names} (calm traffic fits them all)` : 'not known'
  if (kinds.length > 0) return `not recognised, similar to: ${names}; judged by the bounds that hold for every limiter`
  if (limit.limits.length > 1) return 'several limits at once, judged by the bounds that hold for every limiter'
  return 'not recognised, so it is judged by the bounds that hold for every limiter'
}

function findingLines(
  { suspicion, history, statement, cause }: Confirmed,
  script: string | undefined,
): readonly string[] {
  const rows = timelineOf(history, history.groups[statement.group])
  return [
    `contradicts its documentation (${suspicion.attack}): ${statement.text}`,
    ...(cause === undefined ? [] : [`  cause: ${cause}`]),
    `  ${suspicion.title}; seen in ${repetitions} of ${repetitions} repetitions alone, client ${history.client}:`,
    ...timelineLines(rows).map((line) => `  ${line}`),
    ...(script === undefined
      ? []
      : [
          '  with curl:',
          ...script
            .trimEnd()
            .split('\n')
            .map((line) => `    ${line}`),
        ]),
  ]
}

function unconfirmedLines({ suspicion, statement, seen, repeated, notRun }: Confirmed): readonly string[] {
  const why = notRun === undefined ? `${seen} of ${repeated} repetitions alone` : `${seen} of ${repeated}: ${notRun}`
  return [`seen once, not repeated (${suspicion.attack}; ${why}): ${statement.text}`]
}
