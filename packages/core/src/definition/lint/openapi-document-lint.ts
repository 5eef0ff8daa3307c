/**
 * The findings of `turnpike check` in an OpenAPI document: what the management API would reject, and rules
 * without an operation.
 * Source: docs/reference/openapi-extension.md.
 */
import { isFinalStatus } from '../../http/final-status.ts'
import { isJson, isOn, type Json, memberOf, objectOf, textOf } from '../../lib/json.ts'
import { nearestName } from '../../lib/shape/shape.ts'
import { extensionName, extensionOf } from '../openapi/extension.ts'
import { operationsOf } from '../openapi/operations.ts'
import { enabledScheme, requiredSchemes } from '../openapi/security-groups.ts'
import { documentProblems } from '../openapi/validate-document.ts'
import { parseJson } from '../parse-definition.ts'
import { byPlace, collectFindings, type Finding, type Report } from './finding.ts'
import { lintValidation } from './openapi-validation-lint.ts'

/** All findings of a document, in the order of their places in the text. */
export async function lintOpenApiDocument(text: string, vendor: string): Promise<readonly Finding[]> {
  const parsed = parseJson(text)
  // The definition of the document already reports why it cannot be read.
  if (parsed.problem !== undefined || !isJson(parsed.value)) return []
  const { findings, report } = collectFindings(text)
  for (const { path, message } of await documentProblems(parsed.value, vendor)) {
    report('warning', path, `is served, but the management API would reject it: ${message}`)
  }
  lintValidDocument(parsed.value, vendor, report)
  return findings.sort(byPlace)
}

/** Reports what the management API accepts and what probably does not do what its author expects. */
export function lintValidDocument(document: Json, vendor: string, report: Report): void {
  lintOperations(document, vendor, report)
  lintValidation(document, vendor, report)
  lintSecurity(document, vendor, report)
}

function lintOperations(document: Json, vendor: string, report: Report): void {
  const operations = objectOf(memberOf(extensionOf(document, vendor), 'middleware', 'operations'))
  const ids = operationsOf(document).map(({ id }) => id)
  for (const id of Object.keys(operations)) {
    const path = [extensionName(vendor), 'middleware', 'operations', id]
    if (!ids.includes(id)) {
      report('warning', path, 'has no effect: no operation of the document has this operationId', nearestName(id, ids))
    }
    const status = memberOf(operations[id], 'validateRequest', 'errorResponseCode')
    if (typeof status === 'number' && status !== 0 && !isFinalStatus(status)) {
      const reason = `${status} is not a status of a response, so 422 is used; write a status from 200 to 999`
      report('error', [...path, 'validateRequest', 'errorResponseCode'], reason)
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
      const message = `has no effect: components.securitySchemes says that the key is in the ${place} ${scheme['name']}`
      report('warning', [...path, place, 'name'], message)
    }
    if (mode.name === 'jwt' && scheme['type'] === 'http' && textOf(scheme['bearerFormat']) === '') {
      const message = 'needs a JWT although the scheme has no bearerFormat "JWT"; the original gateway needs a key'
      report('note', path, message)
    }
  }
}
