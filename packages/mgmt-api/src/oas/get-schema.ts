/** GET /svc/schema: the JSON schema of OpenAPI documents. Source: docs/reference/openapi-documents.md#document-schema. */
import { documentSchemaFor, extensionName } from '@turnpike/core/definition'
import type { JsonSchema } from '@turnpike/core/lib'
import { json } from '../http/reply.ts'
import { type Operation, queryOf } from '../operation.ts'

const text: JsonSchema = { type: 'string' }
const foundSchema: JsonSchema = {
  type: 'object',
  properties: { status: text, message: text, schema: { type: 'object' } },
}
const missingSchema: JsonSchema = { type: 'object', properties: { status: text, message: text } }

export const getSchema: Operation = {
  id: 'getSchema',
  method: 'GET',
  path: '/svc/schema',
  summary: 'The JSON schema of OpenAPI documents, with the extension of the gateway',
  query: [{ name: 'oasVersion', description: 'Its first two numbers count: 3.0 or 3.1. Default: 3.0' }],
  responses: {
    200: { description: 'The schema', schema: foundSchema },
    404: { description: 'There is no schema for this version', schema: missingSchema },
  },
  handle(call) {
    const found = documentSchemaFor(queryOf(call, 'oasVersion'), extensionName(call.management.settings.vendor))
    return found.problem === undefined
      ? json({ status: 'Success', message: '', schema: found.schema })
      : json({ status: 'Failed', message: found.problem }, 404)
  },
}
