/** Which parts of a session a policy sets, to name the policy behind a limit. */
import { type ApiLimit, apiLimitShape } from '../../ports/session.ts'
import { isPartitioned, type Policy } from './policy.ts'

/** The number of requests and the length of the window or period, in seconds. */
export interface LimitNumbers {
  readonly max: number
  readonly seconds: number
}

/**
 * Returns the policies that set the rate of a session on an API: those with exactly this rate. If several policies were
 * combined into a rate that none of them has, all that have a rate.
 */
export function policiesOfRate(policies: readonly Policy[], apiId: string, limit: LimitNumbers): readonly Policy[] {
  const able = policies.filter((policy) => !isPartitioned(policy) || policy.partitions.rateLimit)
  const same = able.filter((policy) => {
    const { rate, per } = limitsOn(policy, apiId)
    return rate === limit.max && per === limit.seconds
  })
  return same.length > 0 ? same : able.filter((policy) => limitsOn(policy, apiId).rate > 0)
}

/** As `policiesOfRate`, for the quota. */
export function policiesOfQuota(policies: readonly Policy[], apiId: string, { max }: LimitNumbers): readonly Policy[] {
  const able = policies.filter((policy) => !isPartitioned(policy) || policy.partitions.quota)
  const same = able.filter((policy) => limitsOn(policy, apiId).quotaMax === max)
  return same.length > 0 ? same : able.filter((policy) => limitsOn(policy, apiId).quotaMax > 0)
}

export function setsEndpointRate(policy: Policy, apiId: string, { max, seconds }: LimitNumbers): boolean {
  const endpoints = policy.accessRights?.[apiId]?.endpoints ?? []
  return endpoints.some(({ methods }) => methods?.some(({ limit }) => limit.rate === max && limit.per === seconds))
}

export function setsDepth(policy: Policy): boolean {
  return policy.maxQueryDepth > 0
}

export function givesAccess(policy: Policy, apiId: string): boolean {
  return Object.hasOwn(policy.accessRights ?? {}, apiId)
}

export function limitsUrls(policy: Policy, apiId: string): boolean {
  return (policy.accessRights?.[apiId]?.allowedUrls ?? []).length > 0
}

/** The limits of the policy on the API, or its general limits if the API has none of its own. */
function limitsOn(policy: Policy, apiId: string): Pick<ApiLimit, 'rate' | 'per' | 'quotaMax'> {
  const own = policy.accessRights?.[apiId]?.limit
  return own === undefined || apiLimitShape.isZero(own) ? policy : own
}
