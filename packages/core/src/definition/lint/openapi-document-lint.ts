/**
 * The findings of `turnpike check` in an OpenAPI document: what the management API would reject, and rules
 * without an operation.
 * Source: docs/reference/openapi-extension.md.
 */
import { isJson, type Json, memberOf, objectOf } from '../../lib/json.ts'
import { nearestName } from '../../lib/shape/shape.ts'
import { extensionName, extensionOf } from '../openapi/extension.ts'
import { operationsOf } from '../openapi/operations.ts'
import { validateDocument } from '../openapi/validate-document.ts'
import { parseJson } from '../parse-definition.ts'
import { byPlace, collectFindings, type Finding, type Report } from './finding.ts'
import { lintValidation } from './openapi-validation-lint.ts'

/** All findings of a document, in the order of their places in the text. */
export async function lintOpenApiDocument(text: string, vendor: string): Promise<readonly Finding[]> {
  const parsed = parseJson(text)
  // The definition of the document already reports why it cannot be read.
  if (parsed.problem !== undefined || !isJson(parsed.value)) return []
  const { findings, report } = collectFindings(text)
  const invalid = await validateDocument(parsed.value, vendor)
  if (invalid !== undefined) report('warning', [], `is served, but the management API would reject it: ${invalid}`)
  lintOperations(parsed.value, vendor, report)
  lintValidation(parsed.value, vendor, report)
  return findings.sort(byPlace)
}

function lintOperations(document: Json, vendor: string, report: Report): void {
  const operations = objectOf(memberOf(extensionOf(document, vendor), 'middleware', 'operations'))
  const ids = operationsOf(document).map(({ id }) => id)
  for (const id of Object.keys(operations)) {
    const path = [extensionName(vendor), 'middleware', 'operations', id]
    if (!ids.includes(id)) {
      report('warning', path, 'has no effect: no operation of the document has this operationId', nearestName(id, ids))
    }
  }
}
