/** POST /svc/apis/oas: writes a document and its classic form. Source: spec/oas-and-mcp.md 1.1. */
import { validateDocument } from '@turnpike/core'
import { changeNote, refuseByDashboard } from '../apis/api-replies.ts'
import { doneAnswer } from '../keys/key-reply.ts'
import type { Operation, QueryNote } from '../operation.ts'
import { createDocument } from './create-document.ts'
import { readDocument } from './read-document.ts'

export const versionQuery: readonly QueryNote[] = [
  { name: 'base_api_id', description: 'Makes the document a version of this API' },
  { name: 'base_api_version_name', description: 'Name of the version that the base itself is' },
  { name: 'new_version_name', description: 'Name of the new version' },
  { name: 'set_default', description: '`true`: the new version is the default' },
]

export const addDocument: Operation = {
  ...changeNote,
  tag: 'oas',
  id: 'addDocument',
  method: 'POST',
  path: '/svc/apis/oas',
  summary: 'Write an OpenAPI document with its extension; one with the same id is replaced',
  query: versionQuery,
  body: { schema: { type: 'object' }, description: 'OpenAPI 3.0 or 3.1, JSON or YAML' },
  answers: {
    200: doneAnswer,
    400: { description: 'The body is no such document, or its extension is not valid' },
    422: { description: 'The new version has no name' },
    500: { description: 'A file cannot be written' },
  },
  async handle(call) {
    const closed = refuseByDashboard(call)
    if (closed !== undefined) return closed
    const { vendor } = call.management.settings
    const read = await readDocument(call, (document) => validateDocument(document, vendor))
    return read.refusal ?? createDocument(call, read.value)
  },
}
