/** Finds limits of a key on an API that does not count limits of that kind. */

import { limitWords } from '../format-text.ts'
import { globalRate } from '../limits-of-request.ts'
import type { Warning } from '../warning.ts'
import { type Facts, grants } from './warning-facts.ts'

export function limitsNotCounted(facts: Facts): Warning[] {
  return [...ofKeys(facts), ...ofApis(facts), ...onApisNotServed(facts)]
}

function ofKeys(facts: Facts): Warning[] {
  return grants(facts).flatMap(({ plan, api, limits: { rate, quota } }) => {
    const found: Warning[] = []
    const add = (field: string, sentence: string, fix: string) =>
      found.push({
        kind: 'limit-not-counted',
        source: api.source,
        sentence,
        fix,
        place: { of: 'api', id: api.id, path: [field] },
      })
    const { disableRateLimit, disableQuota } = api.document
    if (api.authModes.length === 0) {
      if (rate === undefined && quota === undefined) return []
      add(
        'use_keyless',
        `${plan.words} limits "${api.id}", but "${api.id}" asks nobody for a key, so that the limit counts for nobody`,
        'take use_keyless off the API, or limit all its callers by global_rate_limit',
      )
      return found
    }
    if (rate !== undefined && disableRateLimit) {
      add(
        'disable_rate_limit',
        `${plan.words} says at most ${limitWords(rate.count, rate.seconds)} on "${api.id}", but "${api.id}" counts no rates: its definition says disable_rate_limit`,
        'take disable_rate_limit off the API',
      )
    }
    if (quota !== undefined && disableQuota) {
      add(
        'disable_quota',
        `${plan.words} says at most ${limitWords(quota.count, quota.seconds)} on "${api.id}", but "${api.id}" counts no quotas: its definition says disable_quota`,
        'take disable_quota off the API',
      )
    }
    return found
  })
}

/** Rates of an API or of its paths that the API itself switches off. */
function ofApis({ apis }: Facts): Warning[] {
  return apis.flatMap((api): Warning[] => {
    if (!api.document.disableRateLimit) return []
    const rate = globalRate(api)
    const ofApi = rate === undefined ? [] : [`global_rate_limit of ${limitWords(rate.count, rate.seconds)}`]
    const rules = [...api.versions.values()].flatMap(({ paths }) => paths.rateLimit)
    const ofPaths = rules
      .filter((rule) => rule.rate > 0 && rule.per > 0)
      .map((rule) => `rate of ${limitWords(rule.rate, rule.per)} on ${rule.method} ${rule.path}`)
    return [...ofApi, ...ofPaths].map((what) => ({
      kind: 'limit-not-counted',
      source: api.source,
      sentence: `the ${what} does not count: the definition of "${api.id}" says disable_rate_limit`,
      fix: 'take disable_rate_limit off the API',
      place: { of: 'api', id: api.id, path: ['disable_rate_limit'] },
    }))
  })
}

/** `check` reports APIs that do not exist, so that these are inactive ones. */
function onApisNotServed({ apis, plans }: Facts): Warning[] {
  const served = new Set(apis.map(({ id }) => id))
  return plans.flatMap(({ plan, limits }) =>
    [...limits.values()]
      .filter(({ apiId, rate, quota }) => !served.has(apiId) && (rate ?? quota) !== undefined)
      .map(
        ({ apiId }): Warning => ({
          kind: 'limit-not-counted',
          source: plan.words,
          sentence: `${plan.words} limits "${apiId}", but the gateway does not serve "${apiId}": its definition says active: false`,
          fix: `set active to true, or take "${apiId}" out of access_rights`,
          place: { of: 'api', id: apiId, path: ['active'] },
        }),
      ),
  )
}
