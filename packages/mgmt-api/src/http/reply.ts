/** What handlers return. JSON bodies end in a newline. Source: docs/reference/management-api.md#status-messages. */
import type { JsonSchema } from '@turnpike/core/lib'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const jsonHeaders = { 'content-type': 'application/json' }

/** A JSON document of any shape. */
export function json(value: unknown, status = 200, headers?: Readonly<Record<string, string>>): Reply {
  return { status, headers: { ...jsonHeaders, ...headers }, body: `${JSON.stringify(value)}\n` }
}

/** Returns the body of a status message, as all endpoints send it. */
export function statusBody(status: 'ok' | 'error', message: string): string {
  return `${JSON.stringify({ status, message })}\n`
}

/** Says that an object was added, modified, deleted or updated. */
export function done(key: string, action: 'added' | 'modified' | 'deleted' | 'updated', more?: object): Reply {
  return json({ key, status: 'ok', action, ...more })
}

/** The status message of a rejection. */
export function failure(status: number, message: string, headers?: Readonly<Record<string, string>>): Reply {
  return json({ status: 'error', message }, status, headers)
}

/** The status message of a call that went well. */
export function ok(message = ''): Reply {
  return json({ status: 'ok', message })
}

/** A text, as it is. */
export function plain(status: number, text: string, type = 'text/plain; charset=utf-8'): Reply {
  return { status, headers: { 'content-type': type }, body: text }
}

/** The response to a path that nobody knows. */
export const malformed = failure(400, 'Request malformed')
export const unknownPath: Reply = plain(404, '404 page not found\n')

/** Schema of what `done` returns. */
export const doneSchema: JsonSchema = {
  type: 'object',
  required: ['key', 'status', 'action'],
  properties: {
    key: { type: 'string' },
    status: { type: 'string', enum: ['ok'] },
    action: { type: 'string', enum: ['added', 'modified', 'deleted', 'updated'] },
    warnings: { type: 'array', items: { type: 'string' }, description: 'What probably does not do what was intended' },
  },
}

/** Schema of what `failure` and `ok` return. */
export const statusSchema: JsonSchema = {
  type: 'object',
  required: ['status', 'message'],
  properties: { status: { type: 'string', enum: ['ok', 'error'] }, message: { type: 'string' } },
}

export function toResponse(reply: Reply): Response {
  return new Response(reply.body, { status: reply.status, headers: reply.headers })
}
