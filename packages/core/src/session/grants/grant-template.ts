/**
 * What keys with the same access right may do on one API, worked out once: limits, versions, patterns and the parts of
 * the names of counters. A grant for one of the keys only puts names together.
 */
import type { McpRights } from '../../mcp/key-rights.ts'
import type { CounterPlaces } from '../../ports/store.ts'
import type { QuotaLimit } from '../../quota/quota.ts'
import type { RateLimit } from '../../rate-limit/rate-limit.ts'
import { type CounterNames, localRateName } from '../names/counter-names.ts'
import { newStay, ticketOf } from '../names/counter-ticket.ts'
import type { CountedRate, Grant } from './grant.ts'

/** A rate, and what stands behind the key in the name of its counter; empty unless it is of an endpoint. */
export interface NamedRate {
  readonly limit: RateLimit
  readonly suffix: string
}

export interface GrantTemplate {
  readonly versions: Grant['versions']
  readonly allowsUrl: Grant['allowsUrl']
  readonly throttle: Grant['throttle']
  readonly names: CounterNames
  /** The number of how they name: see `names/counter-ticket.ts`. */
  readonly naming: number
  readonly rate: NamedRate | undefined
  readonly endpointRate: ((method: string, path: string) => NamedRate | undefined) | undefined
  readonly quota: QuotaLimit | undefined
  readonly shownQuotaMax: number
  /** `undefined`: as the session of each key says. */
  readonly shownQuotaRenews: number | undefined
  /** Absent: all of an MCP proxy is open, or the API is none. */
  readonly mcp?: McpRights<NamedRate> | undefined
}

/** The key that a grant is for. */
export interface GrantedKey {
  readonly storedName: string
  /** With policies applied: a bucket is named after it. */
  readonly lastUpdated: string
  readonly quotaRenews: number
  /** Absent: the grant has its own. */
  readonly places?: CounterPlaces | undefined
}

/** The grant of a key. `shared`: stands in place of the key in the names of its counters. */
export function grantFrom(template: GrantTemplate, key: GrantedKey, shared: string | undefined): Grant {
  const { names, quota, rate, endpointRate } = template
  const counted = ({ limit, suffix }: NamedRate): CountedRate => {
    const name = names.rate(shared ?? key.storedName, suffix)
    // Keys that share a counter were not written at the same time, so it cannot be named after one of them.
    const isBucket = limit.algorithm === 'local' && shared === undefined
    return { name: isBucket ? localRateName(name, key.lastUpdated) : name, limit }
  }
  const places = (shared === undefined ? key.places : undefined) ?? { rate: -1, quota: -1, stay: newStay() }
  const grant: Grant = {
    versions: template.versions,
    allowsUrl: template.allowsUrl,
    rate: rate && counted(rate),
    endpointRate: endpointRate && remembering(endpointRate, counted),
    throttle: template.throttle,
    quota: quota && { name: names.quota(shared ?? key.storedName), limit: quota },
    places,
    ticket: ticketOf(places.stay, template.naming),
    shownQuotaMax: template.shownQuotaMax,
    shownQuotaRenews: template.shownQuotaRenews ?? key.quotaRenews,
  }
  return template.mcp === undefined ? grant : { ...grant, mcp: countedMcpRights(template.mcp, counted) }
}

function countedMcpRights(
  rights: McpRights<NamedRate>,
  counted: (rate: NamedRate) => CountedRate,
): McpRights<CountedRate> {
  const { methodRate, primitiveRate } = rights
  const named = (rate: NamedRate | undefined) => rate && counted(rate)
  return {
    ...rights,
    methodRate: (method) => named(methodRate(method)),
    primitiveRate: (primitive) => named(primitiveRate(primitive)),
  }
}

/** Names of endpoint counters are put together when they are first asked for. */
function remembering(
  find: (method: string, path: string) => NamedRate | undefined,
  counted: (rate: NamedRate) => CountedRate,
): NonNullable<Grant['endpointRate']> {
  const made = new Map<NamedRate, CountedRate>()
  return (method, path) => {
    const rate = find(method, path)
    if (rate === undefined) return undefined
    const known = made.get(rate) ?? counted(rate)
    made.set(rate, known)
    return known
  }
}
