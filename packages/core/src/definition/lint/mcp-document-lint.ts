/**
 * The findings of `turnpike check` in the document of an MCP proxy: schema errors, and members without effect.
 * Source: docs/reference/mcp-proxies.md#mcp-document-checks.
 */

import { isJson, type Json, memberOf, objectOf } from '../../lib/json.ts'
import { byPlace, collectFindings, type Finding, type Report } from '../findings/finding.ts'
import { primitiveGroups } from '../mcp/document-rules.ts'
import { schemaProblems } from '../mcp/validate-mcp-document.ts'
import { extensionName, extensionOf } from '../openapi/extension.ts'
import { brokenRule } from '../openapi/validate-document.ts'
import { parseJson } from '../parse-definition.ts'
import { syntaxFinding } from './syntax-finding.ts'

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
export async function lintMcpDocument(text: string, vendor: string, source = ''): Promise<readonly Finding[]> {
  const parsed = parseJson(text)
  if (parsed.problem !== undefined) return [syntaxFinding(parsed.problem, source)]
  const { findings, report } = collectFindings(text, source)
  await lintDocument(parsed.value, vendor, report)
  return findings.sort(byPlace)
}

async function lintDocument(document: unknown, vendor: string, report: Report): Promise<void> {
  if (!isJson(document)) {
    report('not-an-object', [])
    return
  }
  const key = extensionName(vendor)
  if (extensionOf(document, vendor) === undefined) report('extension-missing', [], { name: key })
  const { problem, problems } = await schemaProblems(document, vendor)
  if (problem !== undefined) report('invalid-mcp-document', ['openapi'], { problem })
  for (const { path, message } of problems) report('invalid-mcp-document', path, { problem: message })
  const invalid = problem === undefined && problems.length === 0 ? brokenRule(document) : undefined
  if (invalid !== undefined) report('invalid-mcp-document', [], { problem: invalid })
  lintExtension(objectOf(extensionOf(document, vendor)), key, report)
}

/** Reports members of a valid extension that have no effect. `key`: name of the extension. */
export function lintExtension(extension: Json, key: string, report: Report): void {
  const what = 'an MCP proxy'
  if (memberOf(extension, 'server', 'batchProcessing') !== undefined) {
    report('mcp-member-without-effect', [key, 'server', 'batchProcessing'], { what })
  }
  if (memberOf(extension, 'middleware', 'global', 'cache') !== undefined) {
    report('mcp-member-without-effect', [key, 'middleware', 'global', 'cache'], { what })
  }
  for (const [group] of primitiveGroups) {
    const primitives = objectOf(memberOf(extension, 'middleware', group))
    for (const [name, primitive] of Object.entries(primitives)) {
      for (const part of Object.keys(objectOf(primitive))) {
        const path = [key, 'middleware', group, name, part]
        if (ineffectiveParts.has(part))
          report('mcp-member-without-effect', path, { what: 'a tool, resource or prompt' })
      }
    }
  }
}
