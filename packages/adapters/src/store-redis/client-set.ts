/**
 * The set of an API's OAuth clients. Existing nodes on a Redis Cluster read it in place of the list of their names, so
 * it is kept beside each client's record; here nobody reads it. Source: docs/reference/redis-records.md#oauth-keys.
 */
import type { RedisClient } from './connection-options.ts'

export interface ClientRecord {
  /** Name of the set that the client belongs in. */
  readonly set: string
  readonly clientId: string
}

/** What a record's name says; `undefined`: it is no client's. */
export function clientRecordOf(name: string): ClientRecord | undefined {
  if (!name.startsWith('oauth-data.')) return undefined
  const [, prefix, clientId] = /^(oauth-data\..*?\.)oauth-clientid\.(.+)$/s.exec(name) ?? []
  if (prefix === undefined || clientId === undefined) return undefined
  return { set: `${prefix}oauth-clientset.oauth-clientid.`, clientId }
}

/** Takes the client off its set, and puts `text` in its place where there is one. */
export async function replaceInClientSet(
  redis: RedisClient,
  { set, clientId }: ClientRecord,
  text: string | undefined,
): Promise<void> {
  const members = await redis.smembers(set)
  const old = members.filter((member) => member !== text && idOf(member) === clientId)
  if (old.length > 0) await redis.srem(set, ...old)
  if (text !== undefined) await redis.sadd(set, text)
}

function idOf(member: string): unknown {
  try {
    const value: unknown = JSON.parse(member)
    return typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
  } catch {
    return undefined
  }
}
