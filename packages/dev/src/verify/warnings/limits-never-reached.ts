/**
 * Finds limits that are never reached because another limit always rejects first: an earlier limit on the request's
 * path that allows fewer requests in the same time, or a shared limit that is lower than the one guaranteed to a key.
 */

import type { Amount } from '../limits-of-key.ts'
import { organisationOf } from '../limits-on-way.ts'
import type { Warning } from '../warning.ts'
import { limitWords, number, requests, span } from '../words.ts'
import { type Facts, grants } from './facts.ts'

/** Returns the maximum number of requests that a limit allows in a time, in the long run. */
function capacity({ count, seconds }: Amount, within: number): number {
  return seconds <= 0 ? count : count * Math.max(1, within / seconds)
}

export function limitsNeverReached(facts: Facts): Warning[] {
  const found: Warning[] = []
  for (const { plan, api, limits } of grants(facts)) {
    const { rate, quota } = limits
    const { disableRateLimit, disableQuota, globalRateLimit } = api.document
    const ofKey = { rate: disableRateLimit ? undefined : rate, quota: disableQuota ? undefined : quota }
    if (ofKey.rate !== undefined && ofKey.quota !== undefined && ofKey.quota.seconds > 0) {
      const most = Math.floor(capacity(ofKey.rate, ofKey.quota.seconds))
      if (most < ofKey.quota.count) {
        found.push({
          kind: 'limit-never-reached',
          source: plan.words,
          sentence: `the quota of ${limitWords(ofKey.quota.count, ofKey.quota.seconds)} on "${api.id}" can never be used up: the rate of ${limitWords(ofKey.rate.count, ofKey.rate.seconds)} lets only ${number(most)} through in ${span(ofKey.quota.seconds)}`,
          fix: 'raise the rate, or lower the quota to what can be used',
        })
      }
    }
    const session = organisationOf(api.orgId, facts)
    const ofOrg = [
      amountOf(session?.rate ?? 0, session?.per ?? 0),
      (session?.quotaMax ?? 0) > 0
        ? { count: session?.quotaMax ?? 0, seconds: session?.quotaRenewalRate ?? 0 }
        : undefined,
    ].filter((amount) => amount !== undefined)
    for (const [what, own] of [['rate', ofKey.rate] as const, ['quota', ofKey.quota] as const]) {
      if (own === undefined) continue
      const tight = ofOrg.find((amount) => capacity(amount, own.seconds) < own.count)
      if (tight !== undefined) {
        found.push({
          kind: 'limit-never-reached',
          source: plan.words,
          sentence: `the ${what} of ${limitWords(own.count, own.seconds)} on "${api.id}" can never be reached: organisation "${api.orgId}" has only ${limitWords(tight.count, tight.seconds)} for all its keys together`,
          fix: `raise the limit of the organisation, or lower the ${what} to what can be used`,
        })
      }
    }
    const ofApi =
      globalRateLimit.disabled || disableRateLimit ? undefined : amountOf(globalRateLimit.rate, globalRateLimit.per)
    if (ofApi !== undefined && ofKey.rate !== undefined && capacity(ofApi, ofKey.rate.seconds) < ofKey.rate.count) {
      found.push({
        kind: 'limit-never-reached',
        source: plan.words,
        sentence: `the rate of ${limitWords(ofKey.rate.count, ofKey.rate.seconds)} can never be used on "${api.id}": the API itself takes only ${limitWords(ofApi.count, ofApi.seconds)} from all its callers together`,
        fix: 'raise global_rate_limit of the API, or lower the rate',
      })
    }
  }
  return found
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
          },
        ],
  )
}

function amountOf(count: number, seconds: number): Amount | undefined {
  return count > 0 && seconds > 0 ? { count, seconds } : undefined
}
