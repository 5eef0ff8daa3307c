/**
 * Names of quota and rate counters. Nodes that share a Redis count jointly by these names, so they follow
 * spec/redis-layout.md 2, 5 and 6 to the letter.
 */
import { hashText } from '../../lib/hash/key-hash.ts'

/** Counter of a quota: of a stored key, or of what a `rate_limit_pattern` gives. An empty scope is left out. */
export function quotaCounterName(storedName: string, scope: string): string {
  return scope === '' ? `quota-${storedName}` : `quota-${scope}-${storedName}`
}

/** The scope in the name of a quota counter of a stored key; `undefined`: it is named after something else. */
export function scopeOfQuotaCounter(name: string, storedName: string): string | undefined {
  if (name === `quota-${storedName}`) return ''
  return name.startsWith('quota-') && name.endsWith(`-${storedName}`)
    ? name.slice('quota-'.length, -storedName.length - 1)
    : undefined
}

/**
 * Counter of a rate. `endpoint` is `METHOD:path pattern` as written, for a rate of one endpoint.
 * The bucket in memory has `last_updated` behind it: see `localRateName`.
 */
export function rateCounterName(storedName: string, scope: string, endpoint = ''): string {
  return joinParts(['rate-limit', scope, storedName, endpoint === '' ? '' : hashText(endpoint, 'murmur32')])
}

/** Names of the counters of keys with one scope. What they have in common is put together once. */
export interface CounterNames {
  /** As `quotaCounterName`. */
  quota(storedName: string): string
  /** As `rateCounterName`, with what `endpointSuffix` gives for the endpoint; empty: for none. */
  rate(storedName: string, suffix: string): string
  /** What stands before the key in the one and in the other. */
  readonly quotaPrefix: string
  readonly ratePrefix: string
  /** Whether `storedNamesIn` would tell a key of such names. */
  readonly isTold: boolean
}

export function makeCounterNames(scope: string): CounterNames {
  const quotaPrefix = quotaCounterName('', scope)
  const ratePrefix = `${joinParts(['rate-limit', scope])}-`
  return {
    quota: (storedName) => quotaPrefix + storedName,
    rate(storedName, suffix) {
      const name = trimDashes(storedName)
      return name === '' ? ratePrefix.slice(0, -1) + suffix : ratePrefix + name + suffix
    },
    quotaPrefix,
    ratePrefix,
    isTold: scope.split('-').length < mostDashes,
  }
}

/** What stands behind the key in the name of an endpoint's counter (`METHOD:path pattern` as written). */
export function endpointSuffix(endpoint: string): string {
  return endpoint === '' ? '' : `-${hashText(endpoint, 'murmur32')}`
}

/** Counter of a rate that lives in memory: a key that was written anew starts with a full bucket (6.1). */
export function localRateName(rateName: string, lastUpdated: string): string {
  return `${rateName}:${lastUpdated}`
}

/** The `last_updated` that names a key's bucket: a policy that was changed later than the key stands for it. */
export function bucketUpdated(keyUpdated: string, policiesUpdated: string): string {
  return policiesUpdated > keyUpdated ? policiesUpdated : keyUpdated
}

/** Stored names that a key may have whose counter is called this, rate or quota, its own one among the first few. */
export function storedNamesIn(counterName: string): string[] {
  const isQuota = counterName.startsWith(quotaStart)
  if (!isQuota && !counterName.startsWith(rateStart)) return []
  const end = isQuota ? counterName.length : counterName.lastIndexOf(':')
  const names: string[] = []
  for (let dash = isQuota ? quotaStart.length - 1 : rateStart.length - 1; dash >= 0 && dash < end; ) {
    names.push(counterName.slice(dash + 1, end))
    if (names.length === mostDashes) break
    dash = counterName.indexOf('-', dash + 1)
  }
  return names
}

const quotaStart = 'quota-'
const rateStart = 'rate-limit-'
/** Behind so many dashes no key is looked for. */
const mostDashes = 16

/** Counter of an API's own rate, or of one of its paths (`rule` is `METHOD:path pattern`; empty: the whole API). */
export function apiRateName(
  api: { readonly orgId: string; readonly id: string },
  rule: string,
  hashKeys: boolean,
): string {
  const suffix = rule === '' ? '' : `-${hashText(rule, 'murmur32')}`
  const name = `apilimiter-${api.orgId}${api.id}${suffix}`
  return joinParts(['rate-limit', hashKeys ? hashText(name, 'murmur32') : name])
}

/** What stands for an organisation in the names of its counters; always hashed by murmur32 where keys are hashed. */
export function orgCounterKey(orgId: string, hashKeys: boolean): string {
  return hashKeys ? hashText(orgId, 'murmur32') : orgId
}

/** Joins by dashes; parts lose the dashes at their ends, and empty parts are skipped. */
function joinParts(parts: readonly string[]): string {
  return parts
    .map(trimDashes)
    .filter((part) => part !== '')
    .join('-')
}

function trimDashes(part: string): string {
  let start = 0
  let end = part.length
  while (start < end && part[start] === '-') start++
  while (end > start && part[end - 1] === '-') end--
  return part.slice(start, end)
}
