/** Finds keys with several policies if one policy grants what another one restricts. */
import type { Policy } from '@turnpike/core/session'
import { limitWords } from '../format-text.ts'
import { partsOf } from '../key-plan.ts'
import type { Amount } from '../limits-of-key.ts'
import type { Warning } from '../warning.ts'
import { type Facts, grants } from './warning-facts.ts'

export function policiesWiden(facts: Facts): Warning[] {
  return grants(facts).flatMap(({ plan, api, limits }) => {
    if (plan.policies.length < 2) return []
    return plan.policies.flatMap((policy): Warning[] => {
      const held = holdsBack(policy, api.id, limits)
      if (held === undefined) return []
      return [
        {
          kind: 'policies-widen',
          source: plan.words,
          sentence: `policy "${policy.id}" alone allows ${words(held.own)} on "${api.id}", but together with the others the key has ${words(held.together)}: of two policies the higher limit counts`,
          fix: `leave "${policy.id}" out of the key, or split the policies by partitions so that one alone sets the ${held.what}`,
          place: { of: 'key', id: plan.name, path: ['apply_policies'] },
        },
      ]
    })
  })
}

const words = ({ count, seconds }: Amount) => (count < 0 ? 'requests without end' : limitWords(count, seconds))

interface Held {
  readonly what: 'rate' | 'quota'
  readonly own: Amount
  readonly together: Amount
}

function holdsBack(
  policy: Policy,
  apiId: string,
  { rate, quota }: { readonly rate: Amount | undefined; readonly quota: Amount | undefined },
): Held | undefined {
  if (policy.accessRights?.[apiId] === undefined) return undefined
  const parts = partsOf(policy)
  const sets = policy.partitions.perApi ? { rate: false, quota: false } : parts
  if (sets.rate && policy.rate > 0 && policy.per > 0 && rate !== undefined) {
    const own = { count: policy.rate, seconds: policy.per }
    if (rate.seconds / rate.count < own.seconds / own.count) return { what: 'rate', own, together: rate }
  }
  if (sets.quota && policy.quotaMax > 0) {
    const own = { count: policy.quotaMax, seconds: policy.quotaRenewalRate }
    if (quota === undefined) return { what: 'quota', own, together: { count: -1, seconds: 0 } }
    if (quota.count > own.count && perSecond(quota) > perSecond(own)) return { what: 'quota', own, together: quota }
  }
  return undefined
}

const perSecond = ({ count, seconds }: Amount) => (seconds <= 0 ? 0 : count / seconds)
