/** Finds APIs that take part in APIs of another organisation: users of the dashboard may not write such APIs. */
import type { LintOptions } from '@turnpike/core/definition'
import { findOrgConflicts } from '@turnpike/core/route'
import type { Finding } from '../config/finding.ts'
import type { CheckedApi } from './checked-api.ts'
import { findingAt } from './finding-at.ts'

export function checkOrganisations(
  apis: readonly CheckedApi[],
  { vendor = 'svc', customDomains = false, ports }: LintOptions,
): Finding[] {
  const owned = apis.map(({ definition }) => definition).filter(({ orgId }) => orgId !== '')
  return apis.flatMap((api) => {
    const { orgId } = api.definition
    const foreign = orgId === '' ? [] : owned.filter((other) => other.orgId !== orgId)
    return findOrgConflicts(api.definition.document, foreign, { vendor, customDomains, ports }).map(
      ({ path, reason }) => findingAt(api, 'api-of-other-organisation', path, { reason }),
    )
  })
}
