/**
 * Cached answers, shared by all nodes (docs/reference/redis-counters.md#cached-responses). What is under way while its API is invalidated is not
 * kept: this node remembers when it heard of invalidations, by the signal that goes with them.
 */
import { createHash } from 'node:crypto'
import { type Clock, compatibleKeyParts, type ResponseStore } from '@turnpike/core'
import { escapeGlob } from './glob.ts'
import type { RedisLink } from './redis-link.ts'
import { parseResponse, printResponse } from './response-text.ts'
import { parseRevalidated, printRevalidated } from './revalidated-text.ts'

export interface RedisResponsesOptions {
  readonly link: RedisLink
  readonly clock: Pick<Clock, 'now'>
  /** Longest body that is kept, in bytes; 0: none is. */
  readonly maxBodyBytes: number
}

/** Ends the names of answers that carry their own freshness. */
const revalidated = '.rfc9111'
/** Names removed at once by an invalidation. */
const removedAtOnce = 500
/** Names of removed answers that are remembered; with more, all that is under way is not kept. */
const mostRemovals = 10_000

export function makeRedisResponses({ link, clock, maxBodyBytes }: RedisResponsesOptions): ResponseStore {
  // A logical clock of this node: an invalidation is a later moment than all versions before it.
  let moment = 0
  const invalidatedAt = new Map<string, number>()
  let removals = new Map<string, number>()
  let allSince = 0

  const admits = (apiId: string, key: string, version: number) =>
    version >= allSince && version >= (invalidatedAt.get(apiId) ?? 0) && version >= (removals.get(key) ?? 0)

  const drop = (keys: readonly string[]) =>
    link.call((redis) => Promise.all(keys.map((key) => redis.del(key)))).then(() => undefined)

  return {
    async get(apiId, name) {
      const key = cacheKey(apiId, name)
      const [recorded, fresh] = await link.call((redis) => Promise.all([redis.get(key), redis.get(key + revalidated)]))
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
        await link.call((redis) => redis.set(key + revalidated, printRevalidated(response), 'PX', ms))
        return
      }
      const expiresAt = Math.ceil((clock.now() + ms) / 1000)
      await link.call((redis) => redis.set(key, printResponse(response, expiresAt, isHead(name)), 'PX', ms))
    },
    async remove(apiId, name) {
      const key = cacheKey(apiId, name)
      moment += 1
      if (removals.size >= mostRemovals) {
        removals = new Map()
        allSince = moment
      }
      removals.set(key, moment)
      await drop([key, key + revalidated])
    },
    async invalidate(apiId) {
      moment += 1
      invalidatedAt.set(apiId, moment)
      const keys = await link.scan(`${escapeGlob(`cache-${apiId}${apiId}`)}*`)
      for (let i = 0; i < keys.length; i += removedAtOnce) await drop(keys.slice(i, i + removedAtOnce))
    },
  } satisfies ResponseStore
}

/** The recorded name: the API twice, whose answer it is, and the MD5 of what was asked. */
export function cacheKey(apiId: string, name: string): string {
  const { client, text } = compatibleKeyParts(name)
  return `cache-${apiId}${apiId}${client}${createHash('md5').update(text).digest('hex')}`
}

const isHead = (name: string) => name.startsWith('HEAD-')
