/** POST /svc/keys/create: a key with a random name. Source: docs/reference/key-management.md#create-a-random-key. */
import { type KeyRefusal, StoreUnavailableError, sessionShape, type WrittenKey } from '@turnpike/core'
import { done, failure, type Reply } from '../http/reply.ts'
import type { Operation } from '../operation.ts'
import { doneResponse, hashNote } from './key-reply.ts'
import { readSession } from './read-session.ts'

export const createKey: Operation = {
  id: 'createKey',
  method: 'POST',
  path: '/svc/keys/create',
  tag: 'keys',
  summary: 'Make a key with a random name',
  body: { schema: sessionShape.schema, description: 'The session' },
  responses: {
    200: doneResponse,
    400: 'No access rights, or a certificate that is not stored',
    500: 'The body cannot be parsed, a policy cannot be applied, or the store is unavailable',
  },
  async handle(call) {
    const body = await readSession(call, failure(500, 'Unmarshalling failed'))
    if (body.refusal) return body.refusal
    let written: WrittenKey | KeyRefusal
    try {
      written = await call.management.keys.create(body.value)
    } catch (cause) {
      if (cause instanceof StoreUnavailableError) return storeUnavailable
      throw cause
    }
    if (written.kind !== 'written') return refuse(written)
    return done(written.keyName, 'added', { ...hashNote(call, written.storedName), ...body.warnings })
  },
}

/** Clients check for this text, so it is the same for every store. */
const storeUnavailable = failure(500, 'Failed to create key - storage: Redis is either down or was not configured')

function refuse(refusal: KeyRefusal): Reply {
  switch (refusal.kind) {
    case 'no-rights':
      return failure(400, 'Failed to create key, keys must have at least one Access Rights record set.')
    case 'policies':
      return failure(500, `Failed to create key - ${refusal.reason}`)
    case 'certificate-taken':
      return failure(500, `Failed to create key - Key with given certificate already found:${refusal.keyName}`)
    case 'certificate':
    case 'misplaced-fields':
      return failure(400, refusal.message)
    case 'unknown-key':
      return failure(404, 'Key is not found')
  }
}
