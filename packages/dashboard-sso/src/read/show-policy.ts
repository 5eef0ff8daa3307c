/** Policies as the page shows them. */
import { apiLimitShape } from '@turnpike/core/ports'
import type { Policy } from '@turnpike/core/session'

export function showPolicy(policy: Policy): object {
  const { acl, complexity, perApi, quota, rateLimit } = policy.partitions
  const parts = { acl, complexity, perApi, quota, rateLimit }
  return {
    id: policy.id,
    name: policy.name === '' ? policy.id : policy.name,
    active: policy.active && !policy.isInactive,
    ...limitsOf(policy),
    keyExpiresInSeconds: policy.keyExpiresIn,
    apis: Object.keys(policy.accessRights ?? {}),
    /** Of single APIs. */
    limits: Object.entries(policy.accessRights ?? {}).flatMap(([api, { limit }]) =>
      apiLimitShape.isZero(limit) ? [] : [{ api, ...limitsOf(limit) }],
    ),
    /** Only these parts of a session are set by it; none: all. */
    parts: Object.entries(parts).flatMap(([name, on]) => (on ? [name] : [])),
    tags: policy.tags ?? [],
  }
}

type Limits = Pick<Policy, 'rate' | 'per' | 'quotaMax' | 'quotaRenewalRate'>

function limitsOf({ rate, per, quotaMax, quotaRenewalRate: quotaRenewalSeconds }: Limits) {
  return { rate, per, quotaMax, quotaRenewalSeconds }
}
