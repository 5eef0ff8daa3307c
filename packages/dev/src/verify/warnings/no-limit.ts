/** Finds APIs and policies without any limit: every caller can send as many requests as it likes. */
import type { ApiDefinition } from '@turnpike/core/definition'
import { planPlace } from '../find-limit-field.ts'
import { quoted } from '../format-text.ts'
import { globalRate, organisationOf } from '../limits-of-request.ts'
import type { Warning } from '../warning.ts'
import { type Facts, grants } from './warning-facts.ts'

export function withoutLimit(facts: Facts): Warning[] {
  const open = facts.apis.filter((api) => !api.internal && !hasOwnLimit(api, facts))
  return [...apisWithoutLimit(open, facts), ...plansWithoutLimit(open, facts)]
}

function apisWithoutLimit(open: readonly ApiDefinition[], facts: Facts): Warning[] {
  return open.flatMap((api): Warning[] => {
    const ofKeys = grants(facts).filter(({ api: granted }) => granted === api)
    // Limits of keys that the API does not count have a warning of their own.
    if (ofKeys.some(({ limits: { rate, quota } }) => rate !== undefined || quota !== undefined)) return []
    const isKeyless = api.authModes.length === 0
    if (!isKeyless && ofKeys.length === 0) return []
    return [
      {
        kind: 'no-limit',
        source: api.source,
        sentence: isKeyless
          ? `"${api.id}" has no limit: anybody can send it any number of requests without a key`
          : `"${api.id}" has no limit: neither the API nor any of its keys has a rate or a quota`,
        fix: 'set global_rate_limit of the API, such as { "rate": 100, "per": 1 }',
        place: { of: 'api', id: api.id, path: ['global_rate_limit'] },
      },
    ]
  })
}

/** APIs that limit nobody at all have a warning already. */
function plansWithoutLimit(open: readonly ApiDefinition[], facts: Facts): Warning[] {
  const limited = new Set(
    grants(facts).flatMap(({ api, limits: { rate, quota } }) => ((rate ?? quota) === undefined ? [] : [api])),
  )
  return facts.plans.flatMap(({ plan }): Warning[] => {
    const own = grants(facts).filter((grant) => grant.plan === plan && grant.api.authModes.length > 0)
    const free = own.filter(
      ({ api, limits: { rate, quota } }) => (rate ?? quota) === undefined && open.includes(api) && limited.has(api),
    )
    if (free.length === 0 || free.length < own.length) return []
    return [
      {
        kind: 'no-limit',
        source: plan.words,
        sentence: `${plan.words} has no limit: its keys can send any number of requests to ${quoted(free.map(({ api }) => api.id))}`,
        fix: 'set rate and per, or quota_max and quota_renewal_rate',
        place: planPlace(plan),
      },
    ]
  })
}

/** Returns true if the API or its organisation limits every caller, or at least one path. */
function hasOwnLimit(api: ApiDefinition, facts: Facts): boolean {
  const organisation = organisationOf(api.orgId, facts)
  if (organisation !== undefined && (organisation.quotaMax > 0 || (organisation.rate > 0 && organisation.per > 0)))
    return true
  if (api.document.disableRateLimit) return false
  if (globalRate(api) !== undefined) return true
  return [...api.versions.values()].some(({ paths }) => paths.rateLimit.some((rule) => rule.rate > 0 && rule.per > 0))
}
