/** GET /svc/docs/openapi.json: the document, for programs. Public like the page: it contains no secrets. */
import { json } from '../http/reply.ts'
import type { Operation } from '../operation.ts'
import { makeOpenApi } from './openapi.ts'

export const getOpenApi: Operation = {
  id: 'getOpenApi',
  method: 'GET',
  path: '/svc/docs/openapi.json',
  tag: 'docs',
  summary: 'This API as an OpenAPI 3.1 document',
  open: true,
  responses: { 200: { description: 'The document', schema: { type: 'object' } } },
  enabled: ({ options }) => options.docs,
  handle: ({ routes, management }) => json(makeOpenApi(routes, management)),
}
