/** The findings of `turnpike check` as a report for CI systems: one item for each file. */
import { existsSync } from 'node:fs'
import { type FindingId, type FindingRule, findingRules } from '@turnpike/core/definition'
import type { Report, ReportFinding, ReportRule } from '@turnpike/reports'
import { type Finding, toMessage } from '../config/finding.ts'
import { version } from '../version.ts'
import { home, pageUrl } from './page-url.ts'

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
  const sources = new Set([...files, ...findings.map(({ source }) => source)])
  return {
    tool: { name: 'turnpike check', version, url: home },
    rules: [...new Set(findings.map(({ id }) => id))].sort().map(ruleOf),
    failsOn: lenient ? 'error' : 'warning',
    items: [...sources].map((source) => ({
      group: 'files',
      name: nameOf(source),
      findings: findings.filter((finding) => finding.source === source).map(toReportFinding),
    })),
  }
}

function ruleOf(id: FindingId): ReportRule {
  const { text, fix, about, page }: FindingRule = findingRules[id]
  const help = [about, fix === '' ? undefined : `Fix: ${fix}`, pageUrl(page)].filter((part) => part !== undefined)
  return { id, summary: text, help: help.join('\n'), url: pageUrl(`reference/generated/findings.md#${id}`) }
}

function toReportFinding(finding: Finding): ReportFinding {
  const { id, severity, source, line, column, fix } = finding
  return {
    rule: id,
    level: severity,
    message: toMessage(finding),
    fix,
    // The source can also be the environment or the command line.
    ...(existsSync(source) ? { file: source, line, column } : {}),
  }
}
