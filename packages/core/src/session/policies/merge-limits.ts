/**
 * Combines a rate or a quota of two policies: the more generous one applies, with the longer of two renewal periods.
 * `apply-policies.ts` decides which policies are combined and in which order. Values are changed in place, on copies that
 * it owns. Source: docs/reference/policies.md#applying-policies.
 */
import type { ApiLimit, EndpointRate, Session } from '../../ports/session.ts'

/** The limit fields that policies, API entries and sessions share. */
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

/** Seconds between two requests of a rate. 0 means no rate and is the shortest. */
function pace(rate: number, per: number): number {
  return rate > 0 && per > 0 ? per / rate : 0
}

/** Returns true if quota `a` allows more than `b`. Negative quotas are unlimited. */
export function isHigherQuota(a: number, b: number): boolean {
  if (b < 0) return false
  return a < 0 || a > b
}

/** Copies the maximum and the period of a quota, each only if it is higher. */
export function raiseQuota(to: Limits, from: Limits): void {
  if (isHigherQuota(from.quotaMax, to.quotaMax)) to.quotaMax = from.quotaMax
  if (from.quotaRenewalRate > to.quotaRenewalRate) to.quotaRenewalRate = from.quotaRenewalRate
}

/** Copies rate and per if they allow more, or if `to` has no rate yet. A policy without a rate changes nothing. */
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
 * Combines the limits of two `per_api` policies for one API. Here a missing rate is the highest.
 * Returns true if `from` raised a limit.
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

/** Removes the session's rate with its throttling and smoothing. */
export function clearRate(session: Session): void {
  session.rate = 0
  session.per = 0
  session.smoothing = null
  session.throttleInterval = 0
  session.throttleRetryLimit = 0
}

/** Merges two lists of endpoint rates. For the same path and method, the more generous rate applies. */
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
