/**
 * Sessions as JSON under a prefix (docs/reference/redis-layout.md#stored-sessions). An invalid session counts as missing,
 * as in the original gateway, and is logged once per reason.
 */
import type { Clock, Log, Session, SessionStore } from '@turnpike/core/ports'
import { mayRequireProof, parseSession, toWireSession } from '@turnpike/core/session'
import type { RedisConnection } from './redis-connection.ts'
import { escapeGlob, type RedisNames } from './redis-names.ts'
import { setText } from './redis-records.ts'

export interface RedisSessionsOptions {
  readonly connection: RedisConnection
  /** Beginning of the names: `apikey-`, or `orgkey.` for organisations. */
  readonly prefix: string
  readonly names: RedisNames
  readonly clock: Clock
  readonly log: Log
}

export function makeRedisSessions({ connection, prefix, names, clock, log }: RedisSessionsOptions): SessionStore {
  const warned = new Set<string>()
  const warnOnce = (reason: string) => {
    if (warned.size > 100 || warned.has(reason)) return
    warned.add(reason)
    log.warn('a stored session cannot be read and is ignored', { reason })
  }

  const get = (storedName: string) => {
    const key = names.session(prefix, storedName)
    return connection.call(async (redis) => {
      const [text, ttl] = await Promise.all([redis.get(key), redis.pttl(key)])
      // -2: the key expired between the two commands.
      if (text === null || ttl === -2) return undefined
      const session = readSession(text, warnOnce)
      return session && { session, storedUntil: ttl < 0 ? undefined : clock.now() + ttl }
    }, key)
  }

  return {
    async find(name) {
      const stored = await get(name)
      if (stored === undefined) return undefined
      const { session: rights, storedUntil } = stored
      const { expires, lastUpdated } = rights
      return {
        rights,
        expires,
        lastUpdated,
        mayRequireProof: mayRequireProof(rights),
        storedUntil,
        whole: () => rights,
      }
    },
    get,
    put(storedName, session, lifetimeMs) {
      const key = names.session(prefix, storedName)
      const text = JSON.stringify(toWireSession(session))
      return connection.call((redis) => setText(redis, key, text, lifetimeMs), key)
    },
    remove(storedName) {
      const key = names.session(prefix, storedName)
      return connection.call(async (redis) => (await redis.del(key)) > 0, key)
    },
    async list(start) {
      const keys = await connection.scan(`${escapeGlob(names.sessionStart(prefix, start))}*`)
      return keys.map((key) => names.storedName(prefix, key))
    },
  } satisfies SessionStore
}

function readSession(text: string, warnOnce: (reason: string) => void): Session | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    warnOnce('not JSON')
    return undefined
  }
  if (value === null) {
    warnOnce('null')
    return undefined
  }
  const read = parseSession(value)
  if (read.session === undefined) warnOnce(read.problem)
  return read.session
}
