/** POST /svc/apis/oas/import: an API from a plain document. Source: docs/reference/openapi-documents.md#import. */

import type { Json } from '@turnpike/core'
import { changeNote, refuseByDashboard } from '../apis/api-replies.ts'
import type { Operation, QueryNote } from '../operation.ts'
import { createDocument } from './create-document.ts'
import { createResponses, versionQuery } from './document-notes.ts'
import { makeImport } from './make-import.ts'
import { readDocument } from './read-document.ts'

export const importQuery: readonly QueryNote[] = [
  { name: 'upstreamURL', description: 'Target; without it, the first entry of `servers`' },
  { name: 'listenPath', description: 'Default: `/`' },
  { name: 'customDomain', description: 'Host on which the API answers' },
  { name: 'authentication', description: '`true`: by the schemes that `security` names' },
  { name: 'securityProcessingMode', description: '`compliant`: the entries of `security` are alternatives' },
  { name: 'allowList', description: '`true`: only the operations of the document are open' },
  { name: 'validateRequest', description: '`true`: parameters and bodies are checked' },
  { name: 'mockResponse', description: '`true`: operations with examples answer with them' },
]

export const importDocument: Operation = {
  ...changeNote,
  tag: 'oas',
  id: 'importDocument',
  method: 'POST',
  path: '/svc/apis/oas/import',
  summary: 'Make an API of an OpenAPI document without extension',
  query: [{ name: 'apiID', description: 'Id of the API; without it, a random one' }, ...importQuery, ...versionQuery],
  body: { schema: { type: 'object' }, description: 'OpenAPI 3.0 or 3.1, JSON or YAML' },
  responses: createResponses('The body is no such document, or a parameter does not fit it'),
  async handle(call) {
    const closed = refuseByDashboard(call)
    if (closed !== undefined) return closed
    const { vendor } = call.management.settings
    let imported: Json = {}
    const read = await readDocument(call, async (document) => {
      const made = await makeImport(document, call.query, vendor)
      if (made.problem === undefined) imported = made.value
      return made.problem
    })
    return read.refusal ?? createDocument(call, imported)
  },
}
