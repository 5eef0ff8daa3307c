/** The report as JSON, for programs. Other forms of reports are made from this one. */
import type { Confirmed } from '../judging/confirm-suspicion.ts'
import type { LimitReport } from '../judging/limit-session.ts'
import { type TimelineRow, timelineOf } from './decision-timeline.ts'

export interface JsonFinding {
  readonly attack: string
  readonly title: string
  readonly statement: string
  readonly client: string
  /** How many of the repetitions alone showed it. */
  readonly seen: number
  readonly repeated: number
  readonly timeline: readonly TimelineRow[]
  readonly curl?: string
}

export interface JsonReport {
  readonly limit: string
  readonly kind: { readonly sure: boolean; readonly names: readonly string[] }
  readonly findings: readonly JsonFinding[]
  readonly notRepeated: readonly JsonFinding[]
  readonly usual: readonly string[]
  readonly notJudged: readonly { readonly what: string; readonly why: string }[]
  readonly tried: readonly string[]
}

/** The result of `judgeGateway`. */
export interface Judgement extends JsonReport {
  /** True if something was judged and nothing contradicts the documented limit. */
  readonly holds: boolean
  /** The seed that repeats the drawn traces. */
  readonly seed: number
  readonly requests: number
  readonly seconds: number
  /** The report as the command `judge` prints it. */
  readonly text: string
}

export function toJsonReport(report: LimitReport, curl: (finding: Confirmed) => string): JsonReport {
  return {
    limit: report.limit.name,
    kind: { sure: report.kinds.length === 1, names: report.kinds.map(({ name }) => name) },
    findings: report.findings.map((finding) => ({ ...toJsonFinding(finding), curl: curl(finding) })),
    notRepeated: report.unconfirmed.map(toJsonFinding),
    usual: report.notes,
    notJudged: report.notJudged,
    tried: report.tried,
  }
}

function toJsonFinding({ suspicion, history, statement, seen, repeated }: Confirmed): JsonFinding {
  return {
    attack: suspicion.attack,
    title: suspicion.title,
    statement: statement.text,
    client: history.client,
    seen,
    repeated,
    timeline: timelineOf(history, history.groups[statement.group]),
  }
}
