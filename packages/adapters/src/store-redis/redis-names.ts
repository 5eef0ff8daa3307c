/**
 * Names of sessions and counters. The recorded layout is that of the original gateway. In the tagged layout the names of a
 * session and of its counters have one hash tag, so that a script can use all of them in a Redis Cluster
 * (docs/reference/redis-layout.md#tagged-layout).
 */
import type { CounterId } from '@turnpike/core/ports'
import { type CounterNaming, hashTag, quotaCounterName, rateCounterName } from '@turnpike/core/session'

export type RedisLayout = CounterNaming

export interface RedisNames {
  quota(id: CounterId): string
  rate(id: CounterId): string
  /** Key of a session under a prefix. */
  session(prefix: string, storedName: string): string
  /** Start of the keys of all sessions whose stored names begin with `start`. */
  sessionStart(prefix: string, start: string): string
  /** Stored name of a session, from its key. */
  storedName(prefix: string, key: string): string
  /** True if the names of one decision are in one hash slot. */
  readonly areTagged: boolean
}

/** `hashKeys`: the gateway's setting `hash_keys`, on which names of the recorded layout depend. */
export function makeRedisNames(layout: RedisLayout, hashKeys: boolean): RedisNames {
  const areTagged = layout === 'tagged'
  return {
    areTagged,
    quota: (id) => quotaCounterName(id, hashKeys, layout),
    rate: (id) => rateCounterName(id, hashKeys, layout),
    session: (prefix, storedName) => prefix + (areTagged ? hashTag(storedName) : storedName),
    sessionStart(prefix, start) {
      if (!areTagged) return prefix + start
      return start === '' ? `${prefix}{` : prefix + hashTag(start).slice(0, -1)
    },
    storedName(prefix, key) {
      const name = key.slice(prefix.length)
      return areTagged ? decodeTag(name.slice(1, -1)) : name
    },
  }
}

const escapes: Readonly<Record<string, string>> = { '%25': '%', '%7B': '{', '%7D': '}' }

/** Reverses `hashTag`. */
function decodeTag(text: string): string {
  return text === '%' ? '' : text.replace(/%(?:25|7B|7D)/g, (coded) => escapes[coded] ?? coded)
}

/** Escapes a text for a Redis glob pattern that matches only this text. */
export function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&')
}
