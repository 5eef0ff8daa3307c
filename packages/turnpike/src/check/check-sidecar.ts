/** Checks the sidecar documents of MCP proxies. */
import {
  extensionOf,
  isForPrimitive,
  isJson,
  type Finding as LintFinding,
  lintMcpDocument,
  locateJson,
  parseJson,
  printJsonPath,
  toMcpClassic,
} from '@turnpike/core'
import type { Finding } from '../config/finding.ts'
import type { CheckedApi } from './checked-api.ts'
import type { CheckedFile } from './read-folder.ts'

/** Converts core's lint findings to findings of `turnpike check`. */
export function toFindings(file: string, found: readonly LintFinding[]): Finding[] {
  return found.map(({ severity, path, message, suggestion, line, column }) => {
    const field = path.length === 0 ? '' : printJsonPath(path)
    const finding: Finding = { severity, source: file, line, column, field, reason: message }
    return suggestion === undefined ? finding : { ...finding, fix: `did you mean "${suggestion}"?` }
  })
}

/** Checks the document of an MCP proxy, and reports differences from the definition that is served. */
export async function checkMcpDocument(
  { file, text }: CheckedFile,
  api: CheckedApi | undefined,
  vendor: string,
): Promise<Finding[]> {
  // An unreadable document is already reported with its definition.
  if (text === undefined) return []
  const findings = toFindings(file, await lintMcpDocument(text, vendor))
  const differing =
    api === undefined || findings.some(({ severity }) => severity === 'error') ? [] : differingLists(text, api, vendor)
  const at = differing.length === 0 ? undefined : locateJson(text, [])
  if (at !== undefined) {
    findings.push({
      severity: 'warning',
      source: file,
      ...at,
      field: '',
      reason: `says other things than ${api?.file ?? ''}, which is what is served (${differing.join(', ')})`,
      fix: 'change it by PUT /svc/mcps/{id}, which writes both files',
    })
  }
  return findings
}

/** Returns the rule lists in which the definition differs from one derived from the document, primitives aside. */
function differingLists(text: string, { definition }: CheckedApi, vendor: string): string[] {
  const parsed = parseJson(text)
  const document = parsed.problem === undefined ? parsed.value : undefined
  const extension = isJson(document) ? extensionOf(document, vendor) : undefined
  const derived = isJson(document) && extension !== undefined ? toMcpClassic(document, extension) : undefined
  if (derived === undefined || derived.problem !== undefined) return []
  const listsOf = ({ versionData }: CheckedApi['definition']['document']) =>
    Object.values(versionData.versions ?? {})[0]?.extendedPaths ?? {}
  const ordinary = (rules: unknown) =>
    JSON.stringify((Array.isArray(rules) ? rules : []).filter((rule) => !isForPrimitive(rule)))
  const served = new Map(Object.entries(listsOf(definition.document)))
  return Object.entries(listsOf(derived.value))
    .filter(([list, rules]) => ordinary(rules) !== ordinary(served.get(list)))
    .map(([list]) => list)
}
