/**
 * The limits that apply to a request, in the order in which the gateway checks them: organisation, key, API. Each has
 * the sentence that describes its guarantee and the stage that rejects a request beyond it.
 */
import type { ApiDefinition } from '@turnpike/core/definition'
import type { JsonPath } from '@turnpike/core/lib'
import type { StageName } from '@turnpike/core/pipeline'
import type { GatewaySettings, Session } from '@turnpike/core/ports'
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

/** What belongs to a rate or a quota besides its amount and how it is counted. */
type DescribeLimit = (
  what: 'rate' | 'quota',
  amount: Amount,
) => Pick<RequestLimit, 'stage' | 'counter' | 'words' | 'place'>

function rateAndQuota(
  rate: Amount | undefined,
  quota: Amount | undefined,
  settings: GatewaySettings,
  describe: DescribeLimit,
): RequestLimit[] {
  const kind = settings.limits.algorithm
  const found: RequestLimit[] = []
  if (rate !== undefined) {
    found.push({ what: 'rate', kind, amount: smoothedAmount(rate, settings), ...describe('rate', rate) })
  }
  if (quota !== undefined) found.push({ what: 'quota', kind: 'quota', amount: quota, ...describe('quota', quota) })
  return found
}

function ofOrganisation({ api: { orgId } }: Target, facts: GatewayFacts): RequestLimit[] {
  const session = organisationOf(orgId, facts)
  if (session === undefined) return []
  const { quotaMax, quotaRenewalRate } = session
  const quota = quotaMax > 0 ? { count: quotaMax, seconds: Math.max(0, quotaRenewalRate) } : undefined
  return rateAndQuota(amountOf(session), quota, facts.settings, (what, { count, seconds }) => ({
    stage: 'org-limits',
    counter: `organisation ${orgId} ${what}`,
    words: `organisation "${orgId}" has at most ${limitWords(count, seconds)} over all its keys`,
    place: { of: 'organisation', id: orgId, path: [what === 'rate' ? 'rate' : 'quota_max'] },
  }))
}

function ofKey(
  { api }: Target,
  plan: KeyPlan | undefined,
  all: ReadonlyMap<string, KeyLimits> | undefined,
  facts: GatewayFacts,
): RequestLimit[] {
  const limits = all?.get(api.id)
  if (plan === undefined || all === undefined || limits === undefined || api.authModes.length === 0) return []
  const { disableRateLimit, disableQuota } = api.document
  const rate = disableRateLimit ? undefined : limits.rate
  const quota = disableQuota ? undefined : limits.quota
  return rateAndQuota(rate, quota, facts.settings, (what, amount) => ({
    stage: 'key-limits',
    counter: `{key} ${limits.scope} ${what}`,
    words: guaranteeWords(plan, amount, sharers(all, limits, what)),
    place: limitPlace(plan, api.id, what, amount),
  }))
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
  const limit = (amount: Amount, where: string, counter: string, path: JsonPath): RequestLimit => ({
    what: 'rate',
    kind: settings.limits.algorithm,
    stage: 'api-rate-limit',
    amount,
    counter,
    words: `"${api.id}" has at most ${limitWords(amount.count, amount.seconds)}${where} over all its callers`,
    place: { of: 'api', id: api.id, path },
  })
  const ofPath = version.paths.rateLimit.find(
    (rule) => rule.rate !== 0 && rule.per > 0 && speaksOf(rule, method, formsOf(api, path)),
  )
  if (ofPath !== undefined) {
    if (ofPath.rate < 0) return []
    const rule = `${ofPath.method} ${ofPath.path}`
    const list = ['version_data', 'versions', version.name, 'extended_paths', 'rate_limit']
    return [limit({ count: ofPath.rate, seconds: ofPath.per }, ` on ${rule}`, `path ${api.id} ${rule}`, list)]
  }
  const rate = globalRate(api)
  return rate === undefined ? [] : [limit(rate, '', `api ${api.id}`, ['global_rate_limit', 'rate'])]
}

/** Returns the rate that an API has for all its callers together, even if it counts no rates. */
export function globalRate({ document }: ApiDefinition): Amount | undefined {
  const { rate, per, disabled } = document.globalRateLimit
  return disabled || rate <= 0 || per <= 0 ? undefined : { count: rate, seconds: per }
}
