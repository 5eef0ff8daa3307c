/** Checks the groups of authentication methods of a document (docs/reference/openapi-authentication.md#authentication-groups). */
import { extensionName, extensionOf, hasAlternatives, securityGroups, unusedMethods } from '@turnpike/core/definition'
import { memberOf } from '@turnpike/core/lib'
import type { Finding } from '../config/finding.ts'
import { documentIn } from './check-sidecar.ts'
import type { CheckedApi } from './checked-api.ts'
import { findingAt } from './finding-at.ts'
import type { CheckedFile } from './read-folder.ts'

/** Reports groups that no request can pass, methods that no request needs, and groups that are not served. */
export function checkAuthGroups(
  { file, text = '' }: CheckedFile,
  api: CheckedApi | undefined,
  vendor: string,
): Finding[] {
  const document = documentIn(text)
  if (document === undefined) return []
  const authentication = memberOf(extensionOf(document, vendor), 'server', 'authentication')
  if (!hasAlternatives(authentication)) return []
  const path = [extensionName(vendor), 'server', 'authentication', 'securityProcessingMode']
  const at = { file, text }
  const findings: Finding[] = []
  const unused = unusedMethods(document, vendor)
  if (unused !== undefined) findings.push(findingAt(at, 'unused-auth-method', path, { problem: unused }))
  if (api === undefined) return findings
  const { authGroups, authModes } = api.definition
  for (const { name, mode } of authGroups?.flat() ?? []) {
    if (mode !== undefined) continue
    findings.push(findingAt(at, 'auth-group-without-method', path, { name, file: api.file }))
  }
  if (authGroups === undefined && authModes.length > 1 && securityGroups(document, authentication).length > 1) {
    findings.push(findingAt(at, 'auth-groups-not-served', path, { file: api.file }))
  }
  return findings
}
