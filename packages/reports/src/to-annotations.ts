/**
 * Converts a report to workflow commands of GitHub Actions, which mark lines of a pull request.
 * Source: docs.github.com/actions/reference/workflow-commands-for-github-actions.
 */
import { nameFromRoot } from './file-names.ts'
import type { Folders, Level, Report, ReportFinding } from './report.ts'

const commands: Readonly<Record<Level, string>> = { error: 'error', warning: 'warning', note: 'notice' }

/** Returns one line for each finding. */
export function toAnnotations({ items, tool }: Report, folders: Folders): string[] {
  return items
    .flatMap(({ findings }) => findings)
    .map((finding) => {
      const { level, message, fix } = finding
      const text = fix === undefined ? message : `${message}\nfix: ${fix}`
      const properties = [...placeOf(finding, folders), `title=${escapeProperty(`${tool.name}: ${finding.rule}`)}`]
      return `::${commands[level]} ${properties.join(',')}::${escapeData(text)}`
    })
}

function placeOf({ file, line, column }: ReportFinding, folders: Folders): string[] {
  if (file === undefined) return []
  const name = `file=${escapeProperty(nameFromRoot(file, folders))}`
  if (line === undefined) return [name]
  return [name, `line=${line}`, ...(column === undefined ? [] : [`col=${column}`])]
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
