/**
 * Converts a report to SARIF 2.1.0, the format in which code scanning services take results.
 * Source: docs.oasis-open.org/sarif/sarif/v2.1.0.
 */
import { createHash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { nameFromRoot, uriFromRoot } from './file-names.ts'
import type { Folders, Report, ReportFinding } from './report.ts'

/** Returns the log as a value for `JSON.stringify`. */
export function toSarif(report: Report, folders: Folders): object {
  const { tool, rules, items } = report
  const findings = items.flatMap((item) => item.findings)
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: tool.name,
            version: tool.version,
            informationUri: tool.url,
            rules: rules.map(({ id, summary, help, url }) => ({
              id,
              shortDescription: { text: summary },
              ...(help === undefined ? {} : { help: { text: help } }),
              ...(url === undefined ? {} : { helpUri: url }),
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => resultOf(finding, report, folders)),
      },
    ],
  }
}

function resultOf(finding: ReportFinding, { rules }: Report, folders: Folders): object {
  const { rule, level, message, fix } = finding
  const index = rules.findIndex(({ id }) => id === rule)
  return {
    ruleId: rule,
    ...(index < 0 ? {} : { ruleIndex: index }),
    level,
    message: { text: fix === undefined ? asSentence(message) : `${asSentence(message)}\nFix: ${asSentence(fix)}` },
    ...locationsOf(finding, folders),
    partialFingerprints: { 'turnpike/v1': fingerprintOf(finding, folders) },
  }
}

function locationsOf({ file, line, column }: ReportFinding, folders: Folders): object {
  if (file === undefined) return {}
  const isInside = !isAbsolute(nameFromRoot(file, folders))
  const region = line === undefined ? undefined : { startLine: line, ...(column && { startColumn: column }) }
  const artifactLocation = { uri: uriFromRoot(file, folders), ...(isInside && { uriBaseId: '%SRCROOT%' }) }
  return { locations: [{ physicalLocation: { artifactLocation, ...(region && { region }) } }] }
}

/** Identifies a result in later runs. Lines are left out, because a result that moved is the same one. */
function fingerprintOf({ rule, message, file }: ReportFinding, folders: Folders): string {
  const name = file === undefined ? '' : nameFromRoot(file, folders)
  return createHash('sha256')
    .update(JSON.stringify([rule, name, message]))
    .digest('hex')
    .slice(0, 32)
}

function asSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}
