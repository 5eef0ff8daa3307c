/** Texts that several handlers of keys share. Source: docs/reference/key-management.md#key-endpoints. */
import { type Session, sessionShape } from '@turnpike/core/ports'
import { type KeyAddress, toWireSession } from '@turnpike/core/session'
import { failure, json, type Reply } from '../http/reply.ts'
import { type Call, findApi, type QueryNote, queryOf, type ResponseNote } from '../operation.ts'

export const keyNotFound: Reply = failure(404, 'Key not found')

/** A session in responses: without zero fields. */
export function showSession(session: Session): Reply {
  return json(toWireSession(session))
}

/** The hash in the response to a written key, if keys are hashed. */
export function hashNote(call: Call, storedName: string): { key_hash?: string } {
  return call.management.settings.keys.hashKeys ? { key_hash: storedName } : {}
}

/** The organisation that the query names directly or through one of its APIs. */
export function orgFromQuery(call: Call): string {
  const named = queryOf(call, 'org_id')
  if (named !== '') return named
  const apiId = queryOf(call, 'api_id')
  if (apiId === '') return ''
  return findApi(call, apiId)?.orgId ?? ''
}

export const sessionResponse: ResponseNote = {
  description: 'The session, without zero fields',
  schema: sessionShape.schema,
}

export const orgIdQuery: QueryNote = { name: 'org_id', description: 'Organisation, for short names of keys' }
export const hashedQuery: QueryNote = { name: 'hashed', description: 'Any value: the name in the path is the hash' }
export const usernameQuery: QueryNote = {
  name: 'username',
  description: '`true`: the name in the path is an id, turned into a full name with `org_id`',
}
export const suppressResetQuery: QueryNote = {
  name: 'suppress_reset',
  description: '`1`: counters, `quota_renews` and `last_updated` stay',
}

/** The address without the organisation, whose source depends on the method. */
export function addressOf(call: Call, name: string): KeyAddress {
  return { name, stored: queryOf(call, 'hashed') !== '', username: queryOf(call, 'username') === 'true' }
}
