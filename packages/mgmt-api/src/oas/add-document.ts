/** POST /svc/apis/oas: writes a document and its classic form. Source: docs/reference/openapi-documents.md#document-checks. */

import { validateDocument } from '@turnpike/core'
import { changeNote, refuseByDashboard } from '../apis/api-replies.ts'
import type { Operation } from '../operation.ts'
import { createDocument } from './create-document.ts'
import { createResponses, versionQuery } from './document-notes.ts'
import { readDocument } from './read-document.ts'

export const addDocument: Operation = {
  ...changeNote,
  tag: 'oas',
  id: 'addDocument',
  method: 'POST',
  path: '/svc/apis/oas',
  summary: 'Write an OpenAPI document with its extension; one with the same id is replaced',
  query: versionQuery,
  body: { schema: { type: 'object' }, description: 'OpenAPI 3.0 or 3.1, JSON or YAML' },
  responses: createResponses('The body is no such document, or its extension is not valid'),
  async handle(call) {
    const closed = refuseByDashboard(call)
    if (closed !== undefined) return closed
    const { vendor } = call.management.settings
    const read = await readDocument(call, (document) => validateDocument(document, vendor))
    return read.refusal ?? createDocument(call, read.value)
  },
}
