/**
 * The set of an API's OAuth clients. Nodes of the original gateway on a Redis Cluster read it instead of scanning names,
 * so it is updated with each client's record. Turnpike does not read it.
 * Source: docs/reference/redis-records.md#oauth-keys.
 */
import { parseJsonObject } from '@turnpike/core/lib'
import type { RedisClient } from './connection-options.ts'

export interface ClientRecord {
  /** Name of the set that contains the client. */
  readonly set: string
  readonly clientId: string
}

/** Parses the name of a record; `undefined` if it is not the record of a client. */
export function clientRecordOf(name: string): ClientRecord | undefined {
  if (!name.startsWith('oauth-data.')) return undefined
  const [, prefix, clientId] = /^(oauth-data\..*?\.)oauth-clientid\.(.+)$/s.exec(name) ?? []
  if (prefix === undefined || clientId === undefined) return undefined
  return { set: `${prefix}oauth-clientset.oauth-clientid.`, clientId }
}

/** Removes the client from its set, and adds `text` if it is given. */
export async function replaceInClientSet(
  redis: RedisClient,
  { set, clientId }: ClientRecord,
  text: string | undefined,
): Promise<void> {
  const members = await redis.smembers(set)
  const old = members.filter((member) => member !== text && parseJsonObject(member)?.['id'] === clientId)
  if (old.length > 0) await redis.srem(set, ...old)
  if (text !== undefined) await redis.sadd(set, text)
}
