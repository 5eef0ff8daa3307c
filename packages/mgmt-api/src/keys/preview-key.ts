/** POST /svc/keys/preview: applies policies to a session without storing it. Source: docs/reference/key-management.md#preview-a-key. */
import { sessionShape } from '@turnpike/core'
import { readBody } from '../http/read-body.ts'
import { failure } from '../http/reply.ts'
import type { Operation } from '../operation.ts'
import { sessionResponse, showSession } from './key-reply.ts'

export const previewKey: Operation = {
  id: 'previewKey',
  method: 'POST',
  path: '/svc/keys/preview',
  tag: 'keys',
  summary: 'What its policies make of a session; stores nothing',
  body: { schema: sessionShape.schema, description: 'The session' },
  responses: { 200: sessionResponse, 500: 'The body cannot be parsed' },
  async handle(call) {
    const body = await readBody(call, sessionShape, failure(500, 'Unmarshalling failed'))
    return body.refusal ?? showSession(call.management.keys.preview(body.value))
  },
}
