/** The key must have a right on this API and, where it is versioned, on this version. Source: 7.1 step 7, 7.4. */
import { rejections } from '../../http/errors.ts'
import type { MakeStage } from '../contract/stage.ts'
import { variablesOf } from '../shared/variables-of.ts'

export const makeAccessRights: MakeStage = (scope) => {
  const { api, version } = scope
  if (api.authModes.length === 0) return null
  return {
    name: 'access-rights',
    phase: '3-admit',
    runsForLimits: true,
    run(context) {
      const { key } = context
      if (key === undefined) return undefined
      const grant = key.grantFor(api)
      if (grant === undefined) return rejections.apiForbidden
      if (grant.versions !== undefined && !grant.versions.has(version.name)) return rejections.apiForbidden
      context.grant = grant.forRequest?.(variablesOf(context, scope)) ?? grant
      return undefined
    },
  }
}
