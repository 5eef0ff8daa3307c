/** The findings for CI systems: an item for each attack, and for what was not judged. */
import { readFileSync } from 'node:fs'
import type { Report, ReportFinding, ReportItem } from '@turnpike/reports'
import type { JsonFinding, Judgement } from './judge-json-report.ts'

const home = 'https://github.com/turnpike-gateway/turnpike'
const url = `${home}/blob/main/docs/guides/judge.md#reading-a-verdict`

const rules = {
  contradiction: 'The gateway decides as no limiter of its kind does.',
  'not-repeated': 'A decision looked wrong, but three repetitions did not all show it.',
  'nothing-judged': 'No attack was sent.',
} as const

export interface JudgedLimit {
  /** For people: the name of the entry in a file, or the limit. */
  readonly name: string
  readonly url: string
  readonly judgement: Judgement
  /** The entry of the file that describes the limit. */
  readonly place?: { readonly file: string; readonly line: number }
}

export function toCiReport(judged: readonly JudgedLimit[]): Report {
  return {
    tool: { name: 'turnpike judge', version: versionOfPackage(), url: home },
    rules: Object.entries(rules).map(([id, summary]) => ({ id, summary, url })),
    failsOn: 'error',
    items: judged.flatMap(itemsOf),
  }
}

function versionOfPackage(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version
}

function itemsOf({ name: group, judgement, place }: JudgedLimit): readonly ReportItem[] {
  const { findings, notRepeated, notJudged, tried, seed } = judgement
  const all = [
    ...findings.map((finding) => toReportFinding(finding, 'contradiction', `it was repeated; --seed ${seed}`)),
    ...notRepeated.map((finding) => toReportFinding(finding, 'not-repeated', `--seed ${seed} repeats the run`)),
  ]
  // Headers are inspected in all traces.
  const attacks = [...new Set([...tried, ...[...findings, ...notRepeated].map(({ attack }) => attack)])]
  const attackItems = attacks.map((name) => ({
    group,
    name,
    findings: all.filter(({ attack }) => attack === name).map(({ finding }) => ({ ...finding, ...place })),
  }))
  const nothing: ReportFinding = { rule: 'nothing-judged', level: 'error', message: 'nothing was judged', ...place }
  return [
    ...attackItems,
    ...(attacks.length === 0 ? [{ group, name: 'run', findings: [nothing] }] : []),
    ...notJudged.map(({ what, why }) => ({ group, name: what, findings: [], skipped: why })),
  ]
}

function toReportFinding(
  { attack, statement, seen, repeated }: JsonFinding,
  rule: keyof typeof rules,
  fix: string,
): { readonly attack: string; readonly finding: ReportFinding } {
  const isFound = rule === 'contradiction'
  const message = isFound ? statement : `${statement} (seen in ${seen} of ${repeated} repetitions)`
  return { attack, finding: { rule, level: isFound ? 'error' : 'note', message, ...(!isFound && { fix }) } }
}
