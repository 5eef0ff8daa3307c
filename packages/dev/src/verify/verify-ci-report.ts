/** The report of `turnpike verify` for CI systems: an item for each guarantee, warning, and thing that was not tried. */
import type { Report, ReportFinding, ReportItem } from '@turnpike/reports'
import { version } from 'turnpike/embedding'
import { coverageWords, isExercised } from './coverage.ts'
import { outcomeOf, type TestedGuarantee, type VerifyReport } from './verify-gateway.ts'
import { propertyWords } from './verify-lines.ts'
import type { Warning, WarningKind } from './warning.ts'

const home = 'https://github.com/turnpike-gateway/turnpike'
const guide = `${home}/blob/main/docs/guides/verification.md`

const warningRules: Readonly<Record<WarningKind, string>> = {
  'limit-never-reached': 'Another limit always rejects first.',
  'limit-not-counted': 'A limit is set where nothing counts it.',
  'quota-never-renews': 'A quota has no period.',
  'policies-widen': 'A key has two policies, and one grants what the other restricts.',
  'path-unreachable': 'No key reaches a path that a rule is for.',
  'open-without-key': 'A path needs no key, although a rule suggests it does.',
  'limit-skipped': 'A rewrite inside the gateway bypasses limits.',
  'path-shadowed': 'Requests go to another API than the rule intends.',
  'no-limit': 'An API or a policy has no limit.',
  'key-expired': 'A key has expired, or its expiry has no effect.',
  'pattern-covers-all': 'A pattern for one path matches every path.',
  'no-effect': 'A field is unknown, or this version does not support it.',
}

const otherRules = [
  { id: 'broken-guarantee', summary: 'The gateway does not keep a limit of the files.' },
  { id: 'nothing-verified', summary: 'No trace reached a limit.' },
  { id: 'never-exercised', summary: 'No trace reached this limit.' },
]

/** `again` is the command line that reproduces a broken guarantee; `configFile` is named where no field is the cause. */
export function toCiReport(report: VerifyReport, again: string, configFile: string | undefined): Report {
  const warnings = [...report.warnings, ...report.notes.map((note) => ({ ...note, isNote: true }))]
  return {
    tool: { name: 'turnpike verify', version, url: home },
    rules: [...Object.entries(warningRules).map(([id, summary]) => ({ id, summary })), ...otherRules].map((rule) => ({
      ...rule,
      url: guide,
    })),
    failsOn: 'warning',
    items: [
      ...outcomeItems(report, again, configFile),
      ...report.guarantees.map(guaranteeItem),
      ...warnings.map(warningItem),
      ...report.untried.map(({ what, why }) => ({
        group: 'read, but not tried',
        name: what,
        findings: [],
        skipped: why,
      })),
    ],
  }
}

/** The run as a whole: it fails if a guarantee is broken or nothing was verified. */
function outcomeItems(report: VerifyReport, again: string, configFile: string | undefined): ReportItem[] {
  const { broken, brokenAt, traces, requests, seed } = report
  const findings: ReportFinding[] = []
  if (broken !== undefined) {
    const { property, sentence } = broken.violation
    findings.push({
      rule: 'broken-guarantee',
      level: 'error',
      message: `${sentence} (${propertyWords(property)})`,
      fix: `see the trace: ${again} --seed ${broken.seed} --seconds 0`,
      ...(brokenAt ?? { file: configFile }),
    })
  } else if (outcomeOf(report) === 'nothing') {
    const why = report.untried.map(({ what, why }) => `${what}: ${why}`)
    findings.push({
      rule: 'nothing-verified',
      level: 'error',
      message: ['nothing verified: no trace reached a limit', ...why].join('; '),
      file: configFile,
    })
  }
  const details = `${traces} traces with ${requests} requests, seed ${seed}`
  return [{ group: 'run', name: 'the gateway keeps the limits of its files', findings, details }]
}

function guaranteeItem({ words, coverage, at }: TestedGuarantee): ReportItem {
  const details = coverageWords(coverage)
  if (isExercised(coverage)) return { group: 'guarantees', name: words, findings: [], details }
  const finding: ReportFinding = { rule: 'never-exercised', level: 'note', message: `${words}: ${details}`, ...at }
  return { group: 'guarantees', name: words, findings: [finding], skipped: details }
}

function warningItem({ kind, source, sentence, fix, at, isNote }: Warning & { readonly isNote?: boolean }): ReportItem {
  const level = isNote === true ? 'note' : 'warning'
  const finding: ReportFinding = { rule: kind, level, message: sentence, fix, ...at }
  return { group: 'warnings', name: `${source}: ${sentence}`, findings: [finding] }
}
