/** The findings of `turnpike check` as a report for CI systems: one item for each file. */
import { existsSync } from 'node:fs'
import type { Report, ReportFinding } from '@turnpike/reports'
import { type Finding, toMessage } from '../config/finding.ts'
import { version } from '../version.ts'

const home = 'https://github.com/turnpike-gateway/turnpike'

const rules = {
  error: { id: 'check-error', summary: 'A file that the gateway cannot use as it is written.' },
  warning: { id: 'check-warning', summary: 'A setting that probably does not do what its author expects.' },
  note: { id: 'check-note', summary: 'A remark about a file.' },
  noEffect: { id: 'no-effect', summary: 'A field that is unknown or that this version does not support.' },
} as const

export interface CheckedFiles {
  readonly findings: readonly Finding[]
  /** The files that were read. */
  readonly files: readonly string[]
}

/** `lenient`: warnings do not make the command fail. `nameOf` shortens the name of a file for a person. */
export function toCheckReport(
  { findings, files }: CheckedFiles,
  lenient: boolean,
  nameOf: (file: string) => string,
): Report {
  const url = `${home}/blob/main/docs/reference/README.md`
  const sources = new Set([...files, ...findings.map(({ source }) => source)])
  return {
    tool: { name: 'turnpike check', version, url: home },
    rules: Object.values(rules).map((rule) => ({ ...rule, url })),
    failsOn: lenient ? 'error' : 'warning',
    items: [...sources].map((source) => ({
      group: 'files',
      name: nameOf(source),
      findings: findings.filter((finding) => finding.source === source).map(toReportFinding),
    })),
  }
}

function toReportFinding(finding: Finding): ReportFinding {
  const { severity, source, line, column, fix, ineffective } = finding
  return {
    rule: ineffective === true ? rules.noEffect.id : rules[severity].id,
    level: severity,
    message: toMessage(finding),
    fix,
    // The source can also be the environment or the command line.
    ...(existsSync(source) ? { file: source, line, column } : {}),
  }
}
