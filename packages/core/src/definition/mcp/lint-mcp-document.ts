/**
 * What `turnpike check` tells about the document of an MCP proxy: what its schema refuses, and what it accepts without
 * any effect. Source: spec/oas-and-mcp.md 2.1.
 */

import { isJson, type Json, memberOf, objectOf } from '../../lib/json.ts'
import { locateJson } from '../../lib/shape/locate-json.ts'
import { nearestName } from '../../lib/shape/shape.ts'
import type { Finding, Report } from '../lint/finding.ts'
import { extensionName, extensionOf } from '../openapi/extension.ts'
import { brokenRule } from '../openapi/validate-document.ts'
import { parseJson } from '../parse-definition.ts'
import { effectiveParts, primitiveGroups } from './to-mcp-classic.ts'
import { schemaProblems } from './validate-mcp-document.ts'

/** Accepted in a primitive, as in an operation, and never looked at. */
const idleParts: ReadonlySet<string> = new Set([
  'internal',
  'transformRequestMethod',
  'transformResponseBody',
  'transformResponseHeaders',
  'urlRewrite',
  'cache',
  'validateRequest',
  'mockResponse',
])

/** All findings of a document's text, in the order of their places in it. */
export async function lintMcpDocument(text: string, vendor: string): Promise<readonly Finding[]> {
  const parsed = parseJson(text)
  if (parsed.problem !== undefined) return [{ severity: 'error', ...parsed.problem }]
  const findings: Finding[] = []
  const report: Report = (severity, path, message, suggestion) => {
    const found = { severity, path, message, ...locateJson(text, path) }
    findings.push(suggestion === undefined ? found : { ...found, suggestion })
  }
  await lintDocument(parsed.value, vendor, report)
  return findings.sort((a, b) => a.line - b.line || a.column - b.column)
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
  const broken = problem === undefined && problems.length === 0 ? brokenRule(document) : undefined
  if (broken !== undefined) report('error', [], broken)
  lintExtension(objectOf(extensionOf(document, vendor)), key, report)
}

function lintExtension(extension: Json, key: string, report: Report): void {
  const idle = 'has no effect on an MCP proxy'
  if (memberOf(extension, 'server', 'batchProcessing') !== undefined) {
    report('warning', [key, 'server', 'batchProcessing'], idle)
  }
  if (memberOf(extension, 'middleware', 'global', 'cache') !== undefined) {
    report('warning', [key, 'middleware', 'global', 'cache'], idle)
  }
  const known = [...effectiveParts, ...idleParts]
  for (const [group] of primitiveGroups) {
    const primitives = objectOf(memberOf(extension, 'middleware', group))
    for (const [name, primitive] of Object.entries(primitives)) {
      for (const part of Object.keys(objectOf(primitive))) {
        if (effectiveParts.includes(part)) continue
        const path = [key, 'middleware', group, name, part]
        if (idleParts.has(part)) report('warning', path, 'has no effect on a tool, resource or prompt')
        else report('warning', path, 'is not a known field and is passed over', nearestName(part, known))
      }
    }
  }
}
