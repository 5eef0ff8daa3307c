/**
 * The limits that apply to a request, in the order in which the gateway checks them: organisation, key, API. Each has
 * the sentence that describes its guarantee and the stage that rejects a request beyond it.
 */
import type { GatewaySettings, Session, StageName } from '@turnpike/core'
import { type Seed, type SessionDocument, toSession } from 'turnpike/embedding'
import type { Place } from './field-positions.ts'
import { limitPlace } from './find-limit-field.ts'
import { limitWords, quoted } from './format-text.ts'
import type { KeyPlan } from './key-plan.ts'
import type { MeterKind } from './limit-model.ts'
import { type Amount, amountOf, type KeyLimits } from './limits-of-key.ts'
import { formsOf, speaksOf } from './path-samples.ts'
import type { Target } from './possible-requests.ts'

/** A limit that applies to a request. */
export interface RequestLimit {
  /** The kind of limit: `rate` or `quota`. */
  readonly what: 'rate' | 'quota'
  readonly kind: MeterKind
  /** The stage that rejects a request. */
  readonly stage: Extract<StageName, 'org-limits' | 'key-limits' | 'api-rate-limit'>
  readonly amount: Amount
  /** Requests with the same counter name share a counter; `{key}` is replaced by the key. */
  readonly counter: string
  /** `policy "gold" guarantees each key at most 5 requests in 10 s on "orders"`. */
  readonly words: string
  /** The field that sets the limit. */
  readonly place: Place
}

/** The settings of the gateway and its seed file. */
export interface GatewayFacts {
  readonly settings: GatewaySettings
  readonly seed: Seed | undefined
}

/** Returns the limits of a request for a target; without a plan the request carries no key. */
export function limitsOfRequest(
  target: Target,
  plan: KeyPlan | undefined,
  limits: ReadonlyMap<string, KeyLimits> | undefined,
  facts: GatewayFacts,
): RequestLimit[] {
  return [...ofOrganisation(target, facts), ...ofKey(target, plan, limits, facts), ...ofApi(target, facts)]
}

/** Returns the session that the seed file gives an organisation, if organisation limits are enforced. */
export function organisationOf(orgId: string, { settings, seed }: GatewayFacts): Session | undefined {
  const given = seed?.organisations?.[orgId]
  return settings.limits.enforceOrgQuotas && given !== undefined ? toSession(given as SessionDocument) : undefined
}

function ofOrganisation({ api }: Target, facts: GatewayFacts): RequestLimit[] {
  const session = organisationOf(api.orgId, facts)
  if (session === undefined) return []
  const limits: RequestLimit[] = []
  const say = (count: number, seconds: number) =>
    `organisation "${api.orgId}" has at most ${limitWords(count, seconds)} over all its keys`
  const counter = (what: string) => `organisation ${api.orgId} ${what}`
  const place = (field: string): Place => ({ of: 'organisation', id: api.orgId, path: [field] })
  const { rate, per, quotaMax, quotaRenewalRate } = session
  const ofRate = amountOf(session)
  if (ofRate !== undefined) {
    const amount = smoothedAmount(ofRate, facts.settings)
    const kind = facts.settings.limits.algorithm
    limits.push({
      what: 'rate',
      kind,
      stage: 'org-limits',
      amount,
      counter: counter('rate'),
      words: say(rate, per),
      place: place('rate'),
    })
  }
  if (quotaMax > 0) {
    const amount = { count: quotaMax, seconds: Math.max(0, quotaRenewalRate) }
    const words = say(quotaMax, quotaRenewalRate)
    limits.push({
      what: 'quota',
      kind: 'quota',
      stage: 'org-limits',
      amount,
      counter: counter('quota'),
      words,
      place: place('quota_max'),
    })
  }
  return limits
}

function ofKey(
  { api }: Target,
  plan: KeyPlan | undefined,
  all: ReadonlyMap<string, KeyLimits> | undefined,
  facts: GatewayFacts,
): RequestLimit[] {
  const limits = all?.get(api.id)
  if (plan === undefined || all === undefined || limits === undefined || api.authModes.length === 0) return []
  const { rate, quota, scope } = limits
  const found: RequestLimit[] = []
  const say = (what: 'rate' | 'quota', amount: Amount) => guaranteeWords(plan, amount, sharers(all, limits, what))
  if (rate !== undefined && !api.document.disableRateLimit) {
    const kind = facts.settings.limits.algorithm
    const words = say('rate', rate)
    const place = limitPlace(plan, api.id, 'rate', rate)
    const amount = smoothedAmount(rate, facts.settings)
    found.push({ what: 'rate', kind, stage: 'key-limits', amount, counter: `{key} ${scope} rate`, words, place })
  }
  if (quota !== undefined && !api.document.disableQuota) {
    const words = say('quota', quota)
    const place = limitPlace(plan, api.id, 'quota', quota)
    found.push({
      what: 'quota',
      kind: 'quota',
      stage: 'key-limits',
      amount: quota,
      counter: `{key} ${scope} quota`,
      words,
      place,
    })
  }
  return found
}

/** Only the rolling window and the sentinel can be smoothed, and only if the configuration switches it on. */
function smoothedAmount({ count, seconds, smoothing }: Amount, { limits }: GatewaySettings): Amount {
  const isSmoothed = limits.smoothing && (limits.algorithm === 'rolling' || limits.algorithm === 'sentinel')
  return { count, seconds, ...(isSmoothed && smoothing !== undefined ? { smoothing } : {}) }
}

/** Returns the APIs that share the counter of this limit. */
function sharers(all: ReadonlyMap<string, KeyLimits>, { scope, ...own }: KeyLimits, what: 'rate' | 'quota'): string[] {
  return [...all.values()]
    .filter((other) => other.scope === scope && sameAmount(other[what], own[what]))
    .map(({ apiId }) => apiId)
}

function sameAmount(a: Amount | undefined, b: Amount | undefined): boolean {
  return a !== undefined && b !== undefined && a.count === b.count && a.seconds === b.seconds
}

/** `policy "gold" guarantees each key at most 5 requests in 10 s on "orders"`. */
function guaranteeWords({ words, source }: KeyPlan, { count, seconds }: Amount, apiIds: readonly string[]): string {
  const whom = source === 'policy' ? 'guarantees each key' : 'has'
  const where = apiIds.length === 1 ? `on ${quoted(apiIds)}` : `over ${quoted(apiIds)} together`
  return `${words} ${whom} at most ${limitWords(count, seconds)} ${where}`
}

function ofApi({ api, version, method, path }: Target, { settings }: GatewayFacts): RequestLimit[] {
  if (api.document.disableRateLimit) return []
  const kind = settings.limits.algorithm
  const stage = 'api-rate-limit' as const
  const ofPath = version.paths.rateLimit.find(
    (rule) => rule.rate !== 0 && rule.per > 0 && speaksOf(rule, method, formsOf(api, path)),
  )
  if (ofPath !== undefined) {
    if (ofPath.rate < 0) return []
    const { rate, per } = ofPath
    const words = `"${api.id}" has at most ${limitWords(rate, per)} on ${ofPath.method} ${ofPath.path} over all its callers`
    const counter = `path ${api.id} ${ofPath.method} ${ofPath.path}`
    const path = ['version_data', 'versions', version.name, 'extended_paths', 'rate_limit']
    const place: Place = { of: 'api', id: api.id, path }
    return [{ what: 'rate', kind, stage, amount: { count: rate, seconds: per }, counter, words, place }]
  }
  const { rate, per, disabled } = api.document.globalRateLimit
  if (disabled || rate <= 0 || per <= 0) return []
  const words = `"${api.id}" has at most ${limitWords(rate, per)} over all its callers`
  const place: Place = { of: 'api', id: api.id, path: ['global_rate_limit', 'rate'] }
  return [{ what: 'rate', kind, stage, amount: { count: rate, seconds: per }, counter: `api ${api.id}`, words, place }]
}
