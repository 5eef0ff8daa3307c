/**
 * What keys with the same access right may do on one API, worked out once: limits, versions, patterns and the parts of
 * the names of counters. A grant for one of the keys only puts names together.
 */

import type { QuotaLimit } from '../../ports/quota.ts'
import type { RateLimit } from '../../ports/rate-limit.ts'
import type { CounterPlaces } from '../../ports/store.ts'
import type { McpRights } from '../key-rights.ts'
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
  return new KeyGrant(template, key, shared)
}

// Classes, not literals: the engine of JavaScript sees literals of the first keys, which are kept, live long, and from
// then on puts all that are made by the same line where only a long collection finds them again.
class KeyGrant implements Grant {
  readonly versions: Grant['versions']
  readonly allowsUrl: Grant['allowsUrl']
  readonly rate: CountedRate | undefined
  readonly endpointRate: Grant['endpointRate']
  readonly throttle: Grant['throttle']
  readonly quota: Grant['quota']
  readonly places: CounterPlaces
  readonly ticket: number
  readonly shownQuotaMax: number
  readonly shownQuotaRenews: number
  readonly mcp: Grant['mcp']

  constructor(template: GrantTemplate, key: GrantedKey, shared: string | undefined) {
    const { names, quota, rate, endpointRate, mcp } = template
    this.versions = template.versions
    this.allowsUrl = template.allowsUrl
    this.rate = rate && countedFor(template, key, shared, rate)
    this.endpointRate = endpointRate && remembering(endpointRate, (it) => countedFor(template, key, shared, it))
    this.throttle = template.throttle
    this.quota = quota && new Counted(names.quota(shared ?? key.storedName), quota)
    this.places = (shared === undefined ? key.places : undefined) ?? new OwnPlaces()
    this.ticket = ticketOf(this.places.stay, template.naming)
    this.shownQuotaMax = template.shownQuotaMax
    this.shownQuotaRenews = template.shownQuotaRenews ?? key.quotaRenews
    this.mcp = mcp && countedMcpRights(mcp, (it) => countedFor(template, key, shared, it))
  }
}

class Counted<L> {
  readonly name: string
  readonly limit: L
  constructor(name: string, limit: L) {
    this.name = name
    this.limit = limit
  }
}

/** Of a key whose store keeps none. */
class OwnPlaces implements CounterPlaces {
  readonly row = -1
  rate = -1
  quota = -1
  readonly stay = newStay()
}

function countedFor(
  { names }: GrantTemplate,
  key: GrantedKey,
  shared: string | undefined,
  { limit, suffix }: NamedRate,
): CountedRate {
  const name = names.rate(shared ?? key.storedName, suffix)
  // Keys that share a counter were not written at the same time, so it cannot be named after one of them.
  const isBucket = limit.algorithm === 'local' && shared === undefined
  return new Counted(isBucket ? localRateName(name, key.lastUpdated) : name, limit)
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
