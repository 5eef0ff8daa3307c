/**
 * Rejects all requests to APIs of an inactive organisation before any other stage
 * (docs/differences.md#request-pipeline, docs/reference/organisation-sessions.md#organisation-enforcement).
 */
import { rejections } from '../../http/rejections.ts'
import { when } from '../../lib/maybe.ts'
import type { OrgEntry } from '../../session/org-session-cache.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage } from '../contract/stage.ts'

export const makeOrgInactive: MakeStage = ({ api, services }) => {
  const { orgs, settings } = services
  if (!settings.limits.enforceOrgQuotas || api.orgId === '') return null

  const decide = (org: OrgEntry | undefined, context: RequestContext) => {
    context.org = org
    context.trace?.note(org === undefined ? 'no session of the organisation' : `organisation ${api.orgId}`)
    return org?.inactive ? rejections.orgInactive : undefined
  }
  return {
    runsForLimits: true,
    withoutStore: 'as-configured',
    run: (context) => when(orgs.find(api.orgId), (org) => decide(org, context)),
  }
}
