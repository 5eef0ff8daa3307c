/** POST /svc/keys/policy/{name}: other policies for a stored key. Source: docs/reference/key-management.md#preview-a-key. */
import { list, object, text } from '@turnpike/core'
import { readBody } from '../http/read-body.ts'
import { done, failure } from '../http/reply.ts'
import { type Operation, paramOf } from '../operation.ts'
import { doneResponse, keyNotFound } from './key-reply.ts'

const instructionShape = object({ policy: text, applyPolicies: list(text) })

export const changePolicies: Operation = {
  id: 'changeKeyPolicies',
  method: 'POST',
  path: '/svc/keys/policy/{name}',
  tag: 'keys',
  summary: 'Give a stored key other policies',
  description:
    'The name must be the stored one: the full name, or the hash where keys are hashed. Ids are not checked.',
  body: { schema: instructionShape.schema, description: '`apply_policies`, followed by `policy`' },
  responses: { 200: doneResponse, 400: 'The body cannot be parsed', 404: 'Key not found' },
  async handle(call) {
    const body = await readBody(call, instructionShape, failure(400, "Couldn't decode instruction"))
    if (body.refusal) return body.refusal
    const { policy, applyPolicies } = body.value
    const ids = policy === '' ? (applyPolicies ?? []) : [...(applyPolicies ?? []), policy]
    const written = await call.management.keys.changePolicies(paramOf(call, 'name'), ids)
    return written === undefined ? keyNotFound : done(written.keyName, 'updated')
  },
}
