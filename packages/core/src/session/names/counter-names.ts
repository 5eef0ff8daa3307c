/**
 * Names of counters in Redis, compatible with the original gateway so that its nodes and Turnpike nodes share counters
 * (docs/reference/redis-layout.md#redis-keys). Traces of requests show the same names.
 */
import { hashText } from '../../lib/hash/key-hash.ts'
import type { CounterId } from '../../ports/store.ts'

/** Name of a quota. An empty scope is left out. `hashKeys`: the gateway's setting `hash_keys`. */
export function quotaCounterName({ subject, kind, scope }: CounterId, hashKeys: boolean): string {
  const own = kind === 'organisation' ? orgName(subject, hashKeys) : subject
  return scope === '' ? `quota-${own}` : `quota-${scope}-${own}`
}

/** Name of a rate. Dashes at the ends of its parts are removed, as are empty parts. */
export function rateCounterName({ subject, kind, scope, endpoint }: CounterId, hashKeys: boolean): string {
  if (kind === 'organisation') return `rate-limit${part(orgName(subject, hashKeys))}`
  if (kind === 'api') {
    const name = `apilimiter-${subject}${suffix(endpoint)}`
    return `rate-limit${part(hashKeys ? hashText(name, 'murmur32') : name)}`
  }
  return `rate-limit${part(scope)}${part(subject)}${suffix(endpoint)}`
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
