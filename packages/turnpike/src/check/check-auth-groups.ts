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
  const warn = (reason: string, fix: string) => findingAt({ file, text }, 'warning', path, reason, fix)
  const findings: Finding[] = []
  const unused = unusedMethods(document, vendor)
  if (unused !== undefined) findings.push(warn(unused, 'add the method to a list of server.authentication.security'))
  if (api === undefined) return findings
  const { authGroups, authModes } = api.definition
  for (const { name, mode } of authGroups?.flat() ?? []) {
    if (mode !== undefined) continue
    const reason = `the scheme "${name}" has no configured method, so its groups reject every request with 500`
    findings.push(warn(reason, `enable it in server.authentication.securitySchemes and in ${api.file}`))
  }
  if (authGroups === undefined && authModes.length > 1 && securityGroups(document, authentication).length > 1) {
    const reason = `has no effect: ${api.file} has no security_requirements with several groups, so callers need all methods`
    findings.push(warn(reason, 'save the document with PUT /svc/apis/oas/{id}, which writes both files'))
  }
  return findings
}
