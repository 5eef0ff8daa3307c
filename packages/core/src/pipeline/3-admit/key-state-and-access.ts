/**
 * Rejects inactive and expired keys, then keys without access to this API or version. An inactive key that has also
 * expired is rejected as inactive. Sets the access and the counter of the request.
 * Source: docs/reference/request-checks.md#order-of-checks, docs/reference/request-checks.md#version-access.
 */
import { rejections } from '../../http/rejections.ts'
import { counterOfSubject } from '../../session/api-access.ts'
import { isExpired } from '../../session/expiry.ts'
import type { MakeStage, Stage, Unnamed } from '../contract/stage.ts'
import { withBearerErrors } from '../shared/bearer-errors.ts'
import { variablesOf } from '../shared/variable-values.ts'

export const makeKeyAccess: MakeStage = (compileContext) => {
  const { api, version } = compileContext
  if (api.authModes.length === 0) return null
  const stage: Unnamed<Stage> = {
    runsForLimits: true,
    run(context) {
      const { key, startedAt, trace } = context
      if (key === undefined) return undefined
      if (key.isInactive) return rejections.keyInactive
      const { expiresAt } = key
      if (expiresAt !== undefined && isExpired(expiresAt, startedAt)) {
        trace?.note(`expired ${Math.round((startedAt - expiresAt) / 1000)} s ago`)
        return rejections.keyExpired
      }
      const access = context.isClientToken ? key.accessOfClientTo(api) : key.accessTo(api)
      if (access === undefined) return rejections.apiForbidden
      if (access.versions !== undefined && !access.versions.has(version.name)) return rejections.apiForbidden
      const { pattern } = access
      const counter = key.counterOn(access)
      context.access = access
      context.counter =
        pattern.kind === 'fixed'
          ? counter
          : counterOfSubject(counter, pattern.subjectFor(variablesOf(context, compileContext)))
      return undefined
    },
  }
  const { bearerErrors } = compileContext.services.settings
  const hasBearerErrors = (['oauth', 'jwt', 'token'] as const).some(
    (mode) => bearerErrors?.[mode] === true && api.authModes.includes(mode),
  )
  return withBearerErrors(stage, api, hasBearerErrors)
}
