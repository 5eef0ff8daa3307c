/**
 * Names of counters in Redis, compatible with the original gateway so that its nodes and Turnpike nodes share counters
 * (docs/reference/redis-layout.md#redis-keys). Traces of requests show the same names.
 */
import { hashText } from '../../lib/hash/hash-key-name.ts'
import type { CounterId } from '../../ports/store.ts'

/**
 * `recorded`: compatible with the original gateway. `tagged`: all names of a subject have its hash tag, so that they are in
 * one hash slot of a Redis Cluster.
 */
export type CounterNaming = 'recorded' | 'tagged'

/** Name of a quota. An empty scope is left out. `hashKeys`: the gateway's setting `hash_keys`. */
export function quotaCounterName(id: CounterId, hashKeys: boolean, naming: CounterNaming = 'recorded'): string {
  const { subject, kind, scope } = id
  if (naming === 'tagged') return `${kindPrefix[kind]}quota-${taggedName(id)}`
  const own = kind === 'organisation' ? orgName(subject, hashKeys) : subject
  return scope === '' ? `quota-${own}` : `quota-${scope}-${own}`
}

/** Name of a rate. Dashes at the ends of its parts are removed, as are empty parts. */
export function rateCounterName(id: CounterId, hashKeys: boolean, naming: CounterNaming = 'recorded'): string {
  const { subject, kind, scope, endpoint } = id
  if (naming === 'tagged') return `${kindPrefix[kind]}rate-limit-${taggedName(id)}${suffix(endpoint)}`
  if (kind === 'organisation') return `rate-limit${part(orgName(subject, hashKeys))}`
  if (kind === 'api') {
    const name = `apilimiter-${subject}${suffix(endpoint)}`
    return `rate-limit${part(hashKeys ? hashText(name, 'murmur32') : name)}`
  }
  return `rate-limit${part(scope)}${part(subject)}${suffix(endpoint)}`
}

/** In tagged names, a key and an organisation of the same name do not share counters. */
const kindPrefix: Readonly<Record<CounterId['kind'], string>> = { key: '', organisation: 'org-', api: 'api-' }

/** A scope is enclosed in colons, so that it cannot be confused with what follows the name, such as `-allowance`. */
const taggedName = ({ subject, scope }: CounterId) => hashTag(subject) + (scope === '' ? '' : `:${scope}:`)

/**
 * Encloses a text in braces; Redis Cluster computes the hash slot of a name from the text between them. The text has no
 * braces of its own then and is not empty, because such a tag would end early or not count.
 */
export function hashTag(text: string): string {
  return `{${text === '' ? '%' : text.replace(/[%{}]/g, encodeURIComponent)}}`
}

/** Organisations are always hashed by murmur32 where keys are hashed. */
const orgName = (orgId: string, hashKeys: boolean) => (hashKeys ? hashText(orgId, 'murmur32') : orgId)

const suffix = (endpoint: string) => (endpoint === '' ? '' : `-${hashText(endpoint, 'murmur32')}`)

function part(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text[start] === '-') start++
  while (end > start && text[end - 1] === '-') end--
  return start === end ? '' : `-${text.slice(start, end)}`
}
