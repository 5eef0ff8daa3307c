/**
 * The findings of `turnpike check` in an OpenAPI document: what the management API would reject, and rules
 * without an operation.
 * Source: docs/reference/openapi-extension.md.
 */

import { isFinalStatus } from '../../http/final-status.ts'
import { isJson, isOn, type Json, memberOf, objectOf, textOf } from '../../lib/json.ts'
import { nearestName } from '../../lib/shape/shape.ts'
import { byPlace, collectFindings, type Finding, type Report } from '../findings/finding.ts'
import { extensionName, extensionOf } from '../openapi/extension.ts'
import { operationsOf } from '../openapi/operations.ts'
import { enabledScheme, requiredSchemes } from '../openapi/security-groups.ts'
import { documentProblems } from '../openapi/validate-document.ts'
import { parseJson } from '../parse-definition.ts'
import { lintValidation } from './openapi-validation-lint.ts'
import { lintReferences } from './reference-lint.ts'

/** All findings of a document, in the order of their places in the text. */
export async function lintOpenApiDocument(text: string, vendor: string, source = ''): Promise<readonly Finding[]> {
  const parsed = parseJson(text)
  // The definition of the document already reports why it cannot be read.
  if (parsed.problem !== undefined || !isJson(parsed.value)) return []
  const { findings, report } = collectFindings(text, source)
  for (const { path, message } of await documentProblems(parsed.value, vendor)) {
    report('document-rejected-by-management-api', path, { problem: message })
  }
  lintValidDocument(parsed.value, vendor, report)
  return findings.sort(byPlace)
}

/** Reports what the management API accepts and what probably does not do what its author expects. */
export function lintValidDocument(document: Json, vendor: string, report: Report): void {
  lintOperations(document, vendor, report)
  lintReferences(document, lintValidation(document, vendor, report), report)
  lintSecurity(document, vendor, report)
}

function lintOperations(document: Json, vendor: string, report: Report): void {
  const operations = objectOf(memberOf(extensionOf(document, vendor), 'middleware', 'operations'))
  const ids = operationsOf(document).map(({ id }) => id)
  for (const id of Object.keys(operations)) {
    const path = [extensionName(vendor), 'middleware', 'operations', id]
    if (!ids.includes(id)) {
      report('unknown-operation', path, {}, nearestName(id, ids))
    }
    const status = memberOf(operations[id], 'validateRequest', 'errorResponseCode')
    if (typeof status === 'number' && status !== 0 && !isFinalStatus(status)) {
      report('invalid-error-status', [...path, 'validateRequest', 'errorResponseCode'], { status })
    }
  }
}

/** Settings whose effect surprises those who know the original gateway, or that have none. */
function lintSecurity(document: Json, vendor: string, report: Report): void {
  const authentication = memberOf(extensionOf(document, vendor), 'server', 'authentication')
  if (!isOn(authentication)) return
  for (const name of requiredSchemes(document, authentication)) {
    const found = enabledScheme(name, document, authentication)
    if (found === undefined) continue
    const { scheme, own, mode } = found
    const path = [extensionName(vendor), 'server', 'authentication', 'securitySchemes', name]
    const place = textOf(scheme['in'])
    const other = textOf(memberOf(own, place, 'name'))
    if (mode.name === 'token' && isOn(own[place]) && other !== '' && other !== scheme['name']) {
      report('key-place-ignored', [...path, place, 'name'], { place, name: String(scheme['name']) })
    }
    if (mode.name === 'jwt' && scheme['type'] === 'http' && textOf(scheme['bearerFormat']) === '') {
      report('jwt-without-bearer-format', path)
    }
  }
}
