/**
 * Cached responses, shared by all nodes (docs/reference/redis-counters.md#cached-responses). A response that was requested
 * before an invalidation of its API is not stored: this node tracks the invalidations that it receives by signal.
 */
import { hash } from 'node:crypto'
import { compatibleKeyParts } from '@turnpike/core/cache'
import type { Clock, ResponseStore } from '@turnpike/core/ports'
import type { RedisConnection } from './redis-connection.ts'
import { escapeGlob } from './redis-names.ts'
import { parseResponse, printResponse } from './response-text.ts'
import { parseRevalidated, printRevalidated } from './revalidated-text.ts'

export interface RedisResponsesOptions {
  readonly connection: RedisConnection
  readonly clock: Pick<Clock, 'now'>
  /** Maximum size of a cached body in bytes; 0: nothing is cached. */
  readonly maxBodyBytes: number
}

/** Name suffix of responses in `cache_mode: "rfc9111"`. */
const revalidated = '.rfc9111'
/** Keys per command that an invalidation removes. */
const removedAtOnce = 500
/** Maximum number of removed names that are tracked; with more, no response in progress is stored. */
const maxRemovals = 10_000

export function makeRedisResponses({ connection, clock, maxBodyBytes }: RedisResponsesOptions): ResponseStore {
  // A logical clock of this node: each invalidation advances it past all versions that were handed out.
  let moment = 0
  const invalidatedAt = new Map<string, number>()
  let removals = new Map<string, number>()
  let allSince = 0

  const admits = (apiId: string, key: string, version: number) =>
    version >= allSince && version >= (invalidatedAt.get(apiId) ?? 0) && version >= (removals.get(key) ?? 0)

  const drop = (keys: readonly string[]) =>
    Promise.all(keys.map((key) => connection.call((redis) => redis.del(key), key))).then(() => undefined)
  const read = (key: string) => connection.call((redis) => redis.get(key), key)

  return {
    async get(apiId, name) {
      const key = cacheKey(apiId, name)
      const [recorded, fresh] = await Promise.all([read(key), read(key + revalidated)])
      if (fresh !== null) {
        const response = parseRevalidated(fresh)
        if (response === undefined) await drop([key + revalidated])
        return response
      }
      if (recorded === null) return undefined
      const response = parseResponse(recorded, clock.now(), isHead(name))
      if (response === undefined) await drop([key])
      return response
    },
    version: () => moment,
    async put(apiId, name, response, lifetimeMs, version) {
      const key = cacheKey(apiId, name)
      if (lifetimeMs <= 0 || (response.body?.length ?? 0) > maxBodyBytes || !admits(apiId, key, version)) return
      const ms = Math.ceil(lifetimeMs)
      if (response.origin !== undefined || response.next !== undefined) {
        await connection.call(
          (redis) => redis.set(key + revalidated, printRevalidated(response), 'PX', ms),
          key + revalidated,
        )
        return
      }
      const expiresAt = Math.ceil((clock.now() + ms) / 1000)
      await connection.call((redis) => redis.set(key, printResponse(response, expiresAt, isHead(name)), 'PX', ms), key)
    },
    async remove(apiId, name) {
      const key = cacheKey(apiId, name)
      moment += 1
      if (removals.size >= maxRemovals) {
        removals = new Map()
        allSince = moment
      }
      removals.set(key, moment)
      await drop([key, key + revalidated])
    },
    async invalidate(apiId) {
      moment += 1
      invalidatedAt.set(apiId, moment)
      const keys = await connection.scan(`${escapeGlob(`cache-${apiId}${apiId}`)}*`)
      for (let i = 0; i < keys.length; i += removedAtOnce) await drop(keys.slice(i, i + removedAtOnce))
    },
  } satisfies ResponseStore
}

/** The compatible name: twice the API id, then the MD5 of the cache key. */
export function cacheKey(apiId: string, name: string): string {
  const { client, text } = compatibleKeyParts(name)
  return `cache-${apiId}${apiId}${client}${hash('md5', text)}`
}

const isHead = (name: string) => name.startsWith('HEAD-')
