/**
 * The limits of a key on each API, derived from its policies. It is implemented from
 * docs/reference/policies.md#applying-policies and shares no code with the engine, so that the two can be compared.
 */
import type { AllowedUrl, ApiLimit, Session, Smoothing } from '@turnpike/core/ports'
import type { Policy } from '@turnpike/core/session'
import { type KeyPlan, partsOf } from './key-plan.ts'

export interface Amount {
  readonly count: number
  /** Period in seconds; 0 if the quota never renews. */
  readonly seconds: number
  /** A rate whose allowance follows the load, if the configuration has `enable_rate_limit_smoothing`. */
  readonly smoothing?: Smoothing
}

export interface KeyLimits {
  readonly apiId: string
  readonly versions: readonly string[]
  readonly allowedUrls: readonly AllowedUrl[]
  readonly rate: Amount | undefined
  readonly quota: Amount | undefined
  /** APIs of a key with the same scope share its counters. */
  readonly scope: string
  /** The reason why traces do not test this API; `undefined` if they do. */
  readonly untried: string | undefined
}

/** A limit under construction. */
interface Sum {
  rate: Amount | undefined
  max: number
  renewal: number
  throttled: boolean
}

const nothing: Sum = { rate: undefined, max: 0, renewal: 0, throttled: false }

/** Returns the limits by API ID, in the order of the files. */
export function limitsOfKey({ session, policies }: KeyPlan): ReadonlyMap<string, KeyLimits> {
  return policies.length === 0 ? ofSession(session) : ofPolicies(session, policies)
}

function ofSession(session: Session): ReadonlyMap<string, KeyLimits> {
  const limits = Object.entries(session.accessRights ?? {}).map(([apiId, right]): [string, KeyLimits] => {
    const hasOwn = !isEmpty(right.limit)
    const sum = sumOf(hasOwn ? right.limit : session)
    return [apiId, finish(apiId, sum, right, hasOwn ? apiId : '', right.endpoints !== null)]
  })
  return new Map(limits)
}

function ofPolicies(session: Session, policies: readonly Policy[]): ReadonlyMap<string, KeyLimits> {
  const overall = sessionSum(session, policies)
  const granted = [...new Set(policies.flatMap(({ accessRights }) => Object.keys(accessRights ?? {})))].filter((id) =>
    policies.some((policy) => opens(policy, id)),
  )
  const concerned = new Set(policies.flatMap(({ accessRights }) => Object.keys(accessRights ?? {}))).size
  const givers = granted.map((id) => policies.findLast((policy) => opens(policy, id))?.id ?? '')
  const oneGiver = new Set(givers).size <= 1
  return new Map(
    granted.map((apiId, i) => {
      const here = policies.filter(({ accessRights }) => accessRights?.[apiId] !== undefined)
      const rights = here
        .filter((policy) => opens(policy, apiId))
        .flatMap(({ accessRights }) => accessRights?.[apiId] ?? [])
      const right = {
        versions: [...new Set(rights.flatMap(({ versions }) => versions ?? []))],
        allowedUrls: rights.flatMap(({ allowedUrls }) => allowedUrls ?? []),
      }
      const endpoints = rights.some(({ endpoints: own }) => (own ?? []).length > 0)
      const apart = here.filter(({ partitions }) => partitions.perApi)
      const own = apart[0]?.accessRights?.[apiId]
      if (own !== undefined && apart[0] !== undefined) {
        const ownLimit = !isEmpty(own.limit)
        const made = finish(
          apiId,
          sumOf(ownLimit ? own.limit : apart[0]),
          right,
          ownLimit ? apiId : apart[0].id,
          endpoints,
        )
        return [apiId, here.length === 1 ? made : { ...made, untried: 'several policies limit it apart' }]
      }
      const sum = apiSum(here, concerned === 1 && setAll(here) ? undefined : overall)
      return [apiId, finish(apiId, sum, right, oneGiver ? '' : (givers[i] ?? ''), endpoints)]
    }),
  )
}

const opens = (policy: Policy, apiId: string) => {
  const { acl, apart } = partsOf(policy)
  return (acl || apart) && policy.accessRights?.[apiId] !== undefined
}

/** Returns true if the policies of a key for a single API set all limits there, so that it has no other limits. */
function setAll(here: readonly Policy[]): boolean {
  const parts = here.map(partsOf)
  const hasComplexity = here.some(({ partitions: { acl, quota, rateLimit, complexity, perApi } }) => {
    return complexity || !(acl || quota || rateLimit || perApi)
  })
  return parts.some(({ rate }) => rate) && parts.some(({ quota }) => quota) && hasComplexity
}

function apiSum(here: readonly Policy[], overall: Sum = nothing): Sum {
  const sum: Sum = { rate: undefined, max: 0, renewal: 0, throttled: false }
  for (const policy of here) raise(sum, policy)
  if (!here.some((policy) => partsOf(policy).rate)) {
    sum.rate = overall.rate
    sum.throttled = overall.throttled
  }
  if (!here.some((policy) => partsOf(policy).quota)) {
    sum.max = overall.max
    sum.renewal = overall.renewal
  }
  const says = sum.rate !== undefined || sum.max !== 0 || sum.renewal !== 0 || sum.throttled
  return says ? sum : overall
}

/** Returns the limits of the key outside its APIs: its own values, or those of all its policies. */
function sessionSum(session: Session, policies: readonly Policy[]): Sum {
  const sum = sumOf(session)
  const shared = policies.filter(({ partitions }) => !partitions.perApi)
  if (shared.some((policy) => partsOf(policy).rate)) sum.rate = undefined
  if (shared.some((policy) => partsOf(policy).quota)) sum.max = 0
  for (const policy of shared) {
    if (Object.keys(policy.accessRights ?? {}).length > 0) raise(sum, policy)
    else {
      if (partsOf(policy).rate) sum.rate = amountOf(policy)
      if (partsOf(policy).quota) [sum.max, sum.renewal] = [policy.quotaMax, policy.quotaRenewalRate]
    }
  }
  return sum
}

/**
 * Of two rates the one with the shorter interval between requests applies, of two quotas the larger; −1 (unlimited)
 * is the largest.
 */
function raise(sum: Sum, policy: Policy): void {
  const { rate, quota } = partsOf(policy)
  const given = rate ? amountOf(policy) : undefined
  if (given !== undefined && (sum.rate === undefined || pause(given) < pause(sum.rate))) sum.rate = given
  if (rate) sum.throttled ||= policy.throttleInterval > 0 && policy.throttleRetryLimit > 0
  if (!quota) return
  if (sum.max >= 0 && (policy.quotaMax < 0 || policy.quotaMax > sum.max)) sum.max = policy.quotaMax
  sum.renewal = Math.max(sum.renewal, policy.quotaRenewalRate)
}

const pause = ({ count, seconds }: Amount) => seconds / count

type Limits = Pick<
  ApiLimit,
  'rate' | 'per' | 'quotaMax' | 'quotaRenewalRate' | 'throttleInterval' | 'throttleRetryLimit' | 'smoothing'
>

function sumOf(limits: Limits): Sum {
  return {
    rate: amountOf(limits),
    max: limits.quotaMax,
    renewal: limits.quotaRenewalRate,
    throttled: limits.throttleInterval > 0 && limits.throttleRetryLimit > 0,
  }
}

/** Returns the rate of a session, a policy or an API entry; `undefined` if there is none. */
export function amountOf({ rate, per, smoothing }: Pick<Limits, 'rate' | 'per' | 'smoothing'>): Amount | undefined {
  if (rate <= 0 || per <= 0) return undefined
  const amount = { count: rate, seconds: per }
  if (smoothing === null || !smoothing.enabled) return amount
  const { threshold, trigger, step, delay } = smoothing
  const isValid = threshold > 0 && trigger > 0 && step > 0 && delay > 0
  return isValid ? { ...amount, smoothing: { threshold, trigger, step, delay } } : amount
}

function isEmpty(limit: ApiLimit): boolean {
  return Object.values(limit).every((value) => value === 0 || value === null || value === undefined)
}

function finish(
  apiId: string,
  { rate, max, renewal, throttled }: Sum,
  right: { readonly versions: readonly string[] | null; readonly allowedUrls: readonly AllowedUrl[] | null },
  scope: string,
  hasEndpoints: boolean,
): KeyLimits {
  const untried = throttled
    ? 'requests over the rate wait'
    : hasEndpoints
      ? 'its endpoints have rates of their own'
      : undefined
  const quota = max > 0 ? { count: max, seconds: Math.max(0, renewal) } : undefined
  const { versions, allowedUrls } = right
  return { apiId, versions: versions ?? [], allowedUrls: allowedUrls ?? [], rate, quota, scope, untried }
}
