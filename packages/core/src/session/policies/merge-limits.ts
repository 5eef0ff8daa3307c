/**
 * Which of two limits gives more. All arithmetic of docs/reference/policies.md#applying-policies on rates and quotas; the values are
 * changed in place, on copies that `applyPolicies` owns.
 */
import type { ApiLimit, EndpointRate, Session } from '../../ports/session.ts'

/** The fields of a limit that a policy, an API entry and a session have in common. */
export type Limits = Pick<
  ApiLimit,
  | 'rate'
  | 'per'
  | 'throttleInterval'
  | 'throttleRetryLimit'
  | 'maxQueryDepth'
  | 'quotaMax'
  | 'quotaRenewalRate'
  | 'smoothing'
>

/** Seconds between two requests of a rate; 0 where there is no rate, which is the shortest of all. */
function pace(rate: number, per: number): number {
  return rate > 0 && per > 0 ? per / rate : 0
}

/** Whether quota `a` gives more than `b`: −1, and with it everything negative, gives most. */
export function isHigherQuota(a: number, b: number): boolean {
  if (b < 0) return false
  return a < 0 || a > b
}

/** Takes maximum and period of a quota, each for itself, where they are higher. */
export function raiseQuota(to: Limits, from: Limits): void {
  if (isHigherQuota(from.quotaMax, to.quotaMax)) to.quotaMax = from.quotaMax
  if (from.quotaRenewalRate > to.quotaRenewalRate) to.quotaRenewalRate = from.quotaRenewalRate
}

/** Takes rate and per together where they give more or nothing is set yet; a policy without a rate says nothing. */
export function raiseRate(to: Limits, from: Limits): void {
  if (from.rate !== 0 && from.per !== 0) {
    const isUnset = to.rate === 0 || to.per === 0
    if (isUnset || pace(from.rate, from.per) < pace(to.rate, to.per)) copyRate(to, from)
  }
  raiseThrottle(to, from)
}

function raiseThrottle(to: Limits, from: Limits): void {
  to.throttleRetryLimit = Math.max(to.throttleRetryLimit, from.throttleRetryLimit)
  to.throttleInterval = Math.max(to.throttleInterval, from.throttleInterval)
}

export function raiseComplexity(to: Limits, from: Limits): void {
  if (isHigherQuota(from.maxQueryDepth, to.maxQueryDepth)) to.maxQueryDepth = from.maxQueryDepth
}

/**
 * Puts the limits of two `per_api` policies for one API together; here no rate counts as the highest.
 * Tells whether `from` raised anything.
 */
export function raiseApiLimit(to: ApiLimit, from: ApiLimit): boolean {
  let raised = false
  if (pace(from.rate, from.per) < pace(to.rate, to.per)) {
    copyRate(to, from)
    raised = true
  }
  if (isHigherQuota(from.quotaMax, to.quotaMax)) {
    to.quotaMax = from.quotaMax
    raised = true
  }
  if (from.quotaRenewalRate > to.quotaRenewalRate) {
    to.quotaRenewalRate = from.quotaRenewalRate
    raised = true
  }
  if (to.quotaMax === -1) to.quotaRenewalRate = 0
  raiseThrottle(to, from)
  raiseComplexity(to, from)
  return raised
}

export function copyRate(to: Limits, from: Limits): void {
  to.rate = from.rate
  to.per = from.per
  to.smoothing = from.smoothing
}

export function copyThrottle(to: Limits, from: Limits): void {
  to.throttleInterval = from.throttleInterval
  to.throttleRetryLimit = from.throttleRetryLimit
}

export function copyQuota(to: Limits, from: Limits): void {
  to.quotaMax = from.quotaMax
  to.quotaRenewalRate = from.quotaRenewalRate
}

/** Takes the session's rate off, with what belongs to it. */
export function clearRate(session: Session): void {
  session.rate = 0
  session.per = 0
  session.smoothing = null
  session.throttleInterval = 0
  session.throttleRetryLimit = 0
}

/** Rates per endpoint of two lists: of the same path and method the one that gives more stays. */
export function mergeEndpoints(
  first: readonly EndpointRate[] | null,
  second: readonly EndpointRate[] | null,
): EndpointRate[] | null {
  if (second === null || second.length === 0) return first === null ? null : [...first]
  const merged = (first ?? []).map((endpoint) => ({ ...endpoint, methods: [...(endpoint.methods ?? [])] }))
  for (const endpoint of second) {
    const known = merged.find((other) => other.path === endpoint.path)
    if (known === undefined) merged.push({ ...endpoint, methods: [...(endpoint.methods ?? [])] })
    else for (const method of endpoint.methods ?? []) mergeMethod(known.methods, method)
  }
  return merged
}

type EndpointMethod = NonNullable<EndpointRate['methods']>[number]

function mergeMethod(methods: EndpointMethod[], method: EndpointMethod): void {
  const at = methods.findIndex((other) => other.name === method.name)
  const known = methods[at]
  if (known === undefined) methods.push(method)
  else if (givesMore(method.limit, known.limit)) methods[at] = method
}

function givesMore(a: EndpointMethod['limit'], b: EndpointMethod['limit']): boolean {
  const difference = pace(a.rate, a.per) - pace(b.rate, b.per)
  return difference < 0 || (difference === 0 && a.rate > b.rate)
}
