/** Finds the field that sets a limit of a key: of the policy whose value applies, or of the key of the seed file. */
import type { Session } from '@turnpike/core/ports'
import type { Policy } from '@turnpike/core/session'
import type { Place } from './field-positions.ts'
import type { KeyPlan } from './key-plan.ts'
import type { Amount } from './limits-of-key.ts'

/** Fields of a rate and a quota, in files and in code. */
const fields = {
  rate: { wire: 'rate', of: ({ rate }: { readonly rate: number }) => rate },
  quota: { wire: 'quota_max', of: ({ quotaMax }: { readonly quotaMax: number }) => quotaMax },
} as const

/** Returns the place that sets the limit of this kind of key on an API; without an amount, the place that could. */
export function limitPlace(plan: KeyPlan, apiId: string, what: 'rate' | 'quota', amount: Amount | undefined): Place {
  const field = fields[what]
  for (const policy of plan.policies) {
    const path = pathIn(policy, apiId, what, amount)
    if (path !== undefined) return { of: 'policy', id: policy.id, path }
  }
  const own = plan.source === 'seed' ? pathIn(plan.session, apiId, what, amount) : undefined
  if (own !== undefined) return { of: 'key', id: plan.name, path: own }
  return { ...planPlace(plan), path: [field.wire] }
}

/** The policy or the key of the seed file that defines a kind of key. */
export function planPlace({ source, name, policies }: KeyPlan): Place {
  const [policy] = policies
  return source === 'policy' && policy !== undefined
    ? { of: 'policy', id: policy.id, path: [] }
    : { of: 'key', id: name, path: [] }
}

/** The access right for an API. */
export function rightPlace(plan: KeyPlan, apiId: string): Place {
  const policy = plan.policies.find(({ accessRights }) => accessRights?.[apiId] !== undefined)
  const place: Place = policy === undefined ? planPlace(plan) : { of: 'policy', id: policy.id, path: [] }
  return { ...place, path: ['access_rights', apiId] }
}

function pathIn(
  from: Policy | Session,
  apiId: string,
  what: 'rate' | 'quota',
  amount: Amount | undefined,
): string[] | undefined {
  const { wire, of } = fields[what]
  const limit = from.accessRights?.[apiId]?.limit
  if (limit !== undefined && of(limit) === amount?.count) return ['access_rights', apiId, 'limit', wire]
  return of(from) === amount?.count ? [wire] : undefined
}
