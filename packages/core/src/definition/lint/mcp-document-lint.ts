/**
 * The findings of `turnpike check` in the document of an MCP proxy: schema errors, and members without effect.
 * Source: docs/reference/mcp-proxies.md#mcp-document-checks.
 */

import { isJson, type Json, memberOf, objectOf } from '../../lib/json.ts'
import { primitiveGroups } from '../mcp/document-rules.ts'
import { schemaProblems } from '../mcp/validate-mcp-document.ts'
import { extensionName, extensionOf } from '../openapi/extension.ts'
import { brokenRule } from '../openapi/validate-document.ts'
import { parseJson } from '../parse-definition.ts'
import { byPlace, collectFindings, type Finding, type Report } from './finding.ts'

/** Members that the schema accepts in a primitive, as in an operation, but that have no effect there. */
const ineffectiveParts: ReadonlySet<string> = new Set([
  'internal',
  'transformRequestMethod',
  'transformResponseBody',
  'transformResponseHeaders',
  'urlRewrite',
  'cache',
  'validateRequest',
  'mockResponse',
])

/** All findings of a document, in the order of their places in the text. */
export async function lintMcpDocument(text: string, vendor: string): Promise<readonly Finding[]> {
  const parsed = parseJson(text)
  if (parsed.problem !== undefined) return [{ severity: 'error', ...parsed.problem }]
  const { findings, report } = collectFindings(text)
  await lintDocument(parsed.value, vendor, report)
  return findings.sort(byPlace)
}

async function lintDocument(document: unknown, vendor: string, report: Report): Promise<void> {
  if (!isJson(document)) {
    report('error', [], 'must be an object')
    return
  }
  const key = extensionName(vendor)
  if (extensionOf(document, vendor) === undefined) report('error', [], `must contain the object ${key}`)
  const { problem, problems } = await schemaProblems(document, vendor)
  if (problem !== undefined) report('error', ['openapi'], problem)
  for (const { path, message } of problems) report('error', path, message)
  const invalid = problem === undefined && problems.length === 0 ? brokenRule(document) : undefined
  if (invalid !== undefined) report('error', [], invalid)
  lintExtension(objectOf(extensionOf(document, vendor)), key, report)
}

/** Reports members of a valid extension that have no effect. `key`: name of the extension. */
export function lintExtension(extension: Json, key: string, report: Report): void {
  const noEffect = 'has no effect on an MCP proxy'
  if (memberOf(extension, 'server', 'batchProcessing') !== undefined) {
    report('warning', [key, 'server', 'batchProcessing'], noEffect)
  }
  if (memberOf(extension, 'middleware', 'global', 'cache') !== undefined) {
    report('warning', [key, 'middleware', 'global', 'cache'], noEffect)
  }
  for (const [group] of primitiveGroups) {
    const primitives = objectOf(memberOf(extension, 'middleware', group))
    for (const [name, primitive] of Object.entries(primitives)) {
      for (const part of Object.keys(objectOf(primitive))) {
        const path = [key, 'middleware', group, name, part]
        if (ineffectiveParts.has(part)) report('warning', path, 'has no effect on a tool, resource or prompt')
      }
    }
  }
}
