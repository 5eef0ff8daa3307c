/** The report as JSON, for programs. Other forms of reports are made from this one. */
import type { Confirmed } from '../judging/confirm-suspicion.ts'
import type { LimitReport, NeededBudget, Outcome } from '../judging/limit-report.ts'
import { type TimelineRow, timelineOf } from './decision-timeline.ts'
import { isSure, reportLines } from './text-report.ts'

export interface JsonFinding {
  readonly attack: string
  readonly title: string
  readonly statement: string
  readonly client: string
  /** How many of the repetitions alone showed it. */
  readonly seen: number
  readonly repeated: number
  readonly timeline: readonly TimelineRow[]
  /** What would explain everything that was seen. */
  readonly cause?: string
  readonly curl?: string
}

export interface JsonReport {
  readonly limit: string
  /** `names` are the kinds that explain calm traffic; none if the kind is not recognised. */
  readonly kind: { readonly sure: boolean; readonly names: readonly string[] }
  readonly outcome: Outcome
  /** Why there is no verdict; empty unless the outcome is `undecided`. */
  readonly undecided: readonly string[]
  /** The budget of a complete verdict, if the one that was given is too small. */
  readonly needs?: NeededBudget
  readonly findings: readonly JsonFinding[]
  readonly notRepeated: readonly JsonFinding[]
  readonly usual: readonly string[]
  readonly notJudged: readonly { readonly what: string; readonly why: string }[]
  readonly tried: readonly string[]
}

/** The result of `judgeGateway`. */
export interface Judgement extends JsonReport {
  /** True if the outcome is `holds`: nothing that was seen contradicts the documented limit. */
  readonly holds: boolean
  /** The seed that repeats the drawn traces. */
  readonly seed: number
  readonly requests: number
  readonly seconds: number
  /** The report as the command `judge` prints it. */
  readonly text: string
}

/** `script` returns the script that repeats a finding with curl, if there is one. */
export function toJudgement(
  report: LimitReport,
  script: (finding: Confirmed) => string | undefined,
  used: { readonly requests: number; readonly seconds: number },
): Judgement {
  return {
    ...toJsonReport(report, script),
    holds: report.outcome === 'holds',
    seed: report.limit.seed,
    ...used,
    text: [...reportLines(report, script), summaryOf(report, used)].join('\n'),
  }
}

function summaryOf(
  { outcome, undecided, findings, needs }: LimitReport,
  { requests, seconds }: { readonly requests: number; readonly seconds: number },
): string {
  const found = findings.length === 1 ? '1 finding' : `${findings.length} findings`
  const verdict = outcome === 'undecided' ? `undecided (${undecided.join('; ')})` : found
  const lines = [`${verdict}, ${requests} requests in ${seconds.toFixed(1)} s`]
  if (needs !== undefined)
    lines.push(`a complete verdict needs --seconds ${needs.seconds} --max-requests ${needs.maxRequests}`)
  return lines.join('\n')
}

function toJsonReport(report: LimitReport, curl: (finding: Confirmed) => string | undefined): JsonReport {
  return {
    limit: report.limit.name,
    kind: { sure: isSure(report), names: report.kinds.map(({ name }) => name) },
    outcome: report.outcome,
    undecided: report.undecided,
    ...(report.needs !== undefined && { needs: report.needs }),
    findings: report.findings.map((finding) => {
      const script = curl(finding)
      return { ...toJsonFinding(finding), ...(script !== undefined && { curl: script }) }
    }),
    notRepeated: report.unconfirmed.map(toJsonFinding),
    usual: report.notes,
    notJudged: report.notJudged,
    tried: report.tried,
  }
}

function toJsonFinding({ suspicion, history, statement, seen, repeated, cause }: Confirmed): JsonFinding {
  return {
    attack: suspicion.attack,
    title: suspicion.title,
    statement: statement.text,
    client: history.client,
    seen,
    repeated,
    ...(cause !== undefined && { cause }),
    timeline: timelineOf(history, history.groups[statement.group]),
  }
}
