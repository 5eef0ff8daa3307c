/**
 * Converts a report to JUnit XML: a test suite for each group and a test case for each item. A case fails if one of its
 * findings makes the command fail, and is skipped if the item was not examined.
 */
import { escapeMarkup } from './escape-markup.ts'
import { nameFromRoot } from './file-names.ts'
import { type Folders, isFailure, type Report, type ReportFinding, type ReportItem } from './report.ts'

export function toJunit(report: Report, folders: Folders): string {
  const groups = [...new Set(report.items.map(({ group }) => group))]
  const suites = groups.map((group) => {
    const items = report.items.filter((item) => item.group === group)
    const cases = items.map((item) => caseOf(item, report, folders))
    return `  <testsuite name="${escapeXml(`${report.tool.name}: ${group}`)}" ${counts(items, report)}>\n${cases.join('\n')}\n  </testsuite>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${escapeXml(report.tool.name)}" ${counts(report.items, report)}>
${suites.join('\n')}
</testsuites>
`
}

function counts(items: readonly ReportItem[], report: Report): string {
  const failed = items.filter(({ findings }) => findings.some((finding) => isFailure(finding, report)))
  const skipped = items.filter((item) => item.skipped !== undefined && !failed.includes(item))
  return `tests="${items.length}" failures="${failed.length}" errors="0" skipped="${skipped.length}"`
}

function caseOf(item: ReportItem, report: Report, folders: Folders): string {
  const { group, name, findings, skipped, details } = item
  const failures = findings.filter((finding) => isFailure(finding, report))
  const others = findings.filter((finding) => !failures.includes(finding)).map((finding) => textOf(finding, folders))
  const output = [...(details === undefined ? [] : [details]), ...others]
  const [first] = failures
  const place = first?.file === undefined ? '' : ` file="${escapeXml(nameFromRoot(first.file, folders))}"`
  const line = first?.line === undefined ? '' : ` line="${first.line}"`
  const body = [
    // Readers take one failure for each case.
    ...(first === undefined
      ? []
      : [
          `      <failure message="${escapeXml(first.message)}" type="${escapeXml(first.rule)}">${escapeXml(failures.map((finding) => textOf(finding, folders)).join('\n\n'))}</failure>`,
        ]),
    ...(first === undefined && skipped !== undefined ? [`      <skipped message="${escapeXml(skipped)}"/>`] : []),
    ...(output.length === 0 ? [] : [`      <system-out>${escapeXml(output.join('\n'))}</system-out>`]),
  ]
  const open = `    <testcase classname="${escapeXml(`${report.tool.name}.${group}`)}" name="${escapeXml(name)}"${place}${line}`
  return body.length === 0 ? `${open}/>` : `${open}>\n${body.join('\n')}\n    </testcase>`
}

function textOf({ level, message, fix, file, line, column }: ReportFinding, folders: Folders): string {
  const position = line === undefined ? '' : `:${line}:${column ?? 1}`
  const place = file === undefined ? '' : `${nameFromRoot(file, folders)}${position}: `
  return `${place}${level}: ${message}${fix === undefined ? '' : `\nfix: ${fix}`}`
}

/** Characters that XML 1.0 does not allow, and halves of surrogate pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 excludes these characters.
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

function escapeXml(text: string): string {
  return escapeMarkup(text.replace(notInXml, '\ufffd'))
}
