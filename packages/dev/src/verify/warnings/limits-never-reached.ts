/**
 * Finds limits that are never reached because another limit always rejects first: an earlier limit on the request's
 * path that allows fewer requests in the same time, a quota smaller than the rate, or a shared limit that is lower than the one guaranteed to a key.
 */

import type { ApiDefinition } from '@turnpike/core/definition'
import { limitPlace } from '../find-limit-field.ts'
import { limitWords, number, requests, span } from '../format-text.ts'
import type { KeyPlan } from '../key-plan.ts'
import { capacity } from '../limit-model.ts'
import { type Amount, amountOf } from '../limits-of-key.ts'
import { globalRate, organisationOf } from '../limits-of-request.ts'
import type { Warning } from '../warning.ts'
import { type Facts, grants } from './warning-facts.ts'

export function limitsNeverReached(facts: Facts): Warning[] {
  return grants(facts).flatMap(({ plan, api, limits }) => {
    const { disableRateLimit, disableQuota } = api.document
    const rate = disableRateLimit ? undefined : limits.rate
    const quota = disableQuota ? undefined : limits.quota
    const own: OwnLimits = { plan, api, rate, quota }
    return [...byEachOther(own), ...byOrganisation(own, facts), ...byApi(own)]
  })
}

interface OwnLimits {
  readonly plan: KeyPlan
  readonly api: ApiDefinition
  /** The limits of the key that the API counts. */
  readonly rate: Amount | undefined
  readonly quota: Amount | undefined
}

function warn(
  { plan, api }: OwnLimits,
  what: 'rate' | 'quota',
  amount: Amount,
  sentence: string,
  fix: string,
): Warning {
  const place = limitPlace(plan, api.id, what, amount)
  return { kind: 'limit-never-reached', source: plan.words, sentence, fix, place }
}

/** The rate keeps the quota out of reach, or the quota keeps the rate out of reach. */
function byEachOther(own: OwnLimits): Warning[] {
  const { api, rate, quota } = own
  if (rate === undefined || quota === undefined) return []
  const found: Warning[] = []
  const rateText = `the rate of ${limitWords(rate.count, rate.seconds)}`
  const quotaText = `the quota of ${limitWords(quota.count, quota.seconds)}`
  const most = Math.floor(capacity(rate, quota.seconds))
  if (quota.seconds > 0 && most < quota.count) {
    const why = `${rateText} lets only ${number(most)} through in ${span(quota.seconds)}`
    const fix = 'raise the rate, or lower the quota to what can be used'
    found.push(warn(own, 'quota', quota, `${quotaText} on "${api.id}" can never be used up: ${why}`, fix))
  }
  if (capacity(quota, rate.seconds) < rate.count) {
    const why = `${quotaText} is used up before`
    const fix = 'raise the quota, or lower the rate to what can be used'
    found.push(warn(own, 'rate', rate, `${rateText} on "${api.id}" can never be reached: ${why}`, fix))
  }
  return found
}

function byOrganisation(own: OwnLimits, facts: Facts): Warning[] {
  const { orgId, id } = own.api
  const session = organisationOf(orgId, facts)
  if (session === undefined) return []
  const { quotaMax, quotaRenewalRate } = session
  const shared = [amountOf(session), quotaMax > 0 ? { count: quotaMax, seconds: quotaRenewalRate } : undefined]
  return (['rate', 'quota'] as const).flatMap((what) => {
    const amount = own[what]
    if (amount === undefined) return []
    const tight = shared.find((one) => one !== undefined && capacity(one, amount.seconds) < amount.count)
    if (tight === undefined) return []
    const limit = `the ${what} of ${limitWords(amount.count, amount.seconds)} on "${id}"`
    const why = `organisation "${orgId}" has only ${limitWords(tight.count, tight.seconds)} for all its keys together`
    const fix = `raise the limit of the organisation, or lower the ${what} to what can be used`
    return [warn(own, what, amount, `${limit} can never be reached: ${why}`, fix)]
  })
}

function byApi(own: OwnLimits): Warning[] {
  const shared = own.api.document.disableRateLimit ? undefined : globalRate(own.api)
  const { rate } = own
  if (shared === undefined || rate === undefined || capacity(shared, rate.seconds) >= rate.count) return []
  const limit = `the rate of ${limitWords(rate.count, rate.seconds)} can never be used on "${own.api.id}"`
  const why = `the API itself takes only ${limitWords(shared.count, shared.seconds)} from all its callers together`
  return [warn(own, 'rate', rate, `${limit}: ${why}`, 'raise global_rate_limit of the API, or lower the rate')]
}

/** Finds quotas that never renew. */
export function quotasNeverRenewed(facts: Facts): Warning[] {
  return grants(facts).flatMap(({ plan, api, limits: { quota } }) =>
    quota === undefined || quota.seconds > 0 || api.document.disableQuota
      ? []
      : [
          {
            kind: 'quota-never-renews' as const,
            source: plan.words,
            sentence: `the quota of ${requests(quota.count)} on "${api.id}" never renews: a key that has used it up stays blocked forever`,
            fix: 'set quota_renewal_rate to the seconds of a period, 86400 for a day',
            place: limitPlace(plan, api.id, 'quota', quota),
          },
        ],
  )
}
