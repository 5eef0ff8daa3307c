/** GET /svc/apis/oas/export and /svc/apis/oas/{id}/export: documents as files. Source: docs/reference/openapi-documents.md#endpoints. */
import { type Json, vendorForms, withExtension } from '@turnpike/core'
import type { Reply } from '../http/reply.ts'
import { type Call, type Operation, paramOf, queryOf } from '../operation.ts'
import { findDocument, loadedDocuments, sorted } from './show-document.ts'

const note: Pick<Operation, 'method' | 'tag' | 'query'> = {
  method: 'GET',
  tag: 'oas',
  query: [{ name: 'mode', description: '`public`: without the extension' }],
}

export const exportDocuments: Operation = {
  ...note,
  id: 'exportDocuments',
  path: '/svc/apis/oas/export',
  summary: 'Download all loaded documents',
  responses: { 200: { description: 'A list of documents, as a file', type: 'application/octet-stream' } },
  handle: (call) =>
    download(
      call,
      loadedDocuments(call).map((document) => shown(call, document)),
      '',
    ),
}

export const exportDocument: Operation = {
  ...note,
  id: 'exportDocument',
  path: '/svc/apis/oas/{id}/export',
  summary: 'Download a loaded document',
  responses: {
    200: { description: 'The document, as a file', type: 'application/octet-stream' },
    400: 'The API is a classic definition',
    404: 'API not found',
  },
  handle(call) {
    const found = findDocument(call, paramOf(call, 'id'))
    return 'refusal' in found ? found.refusal : download(call, shown(call, found.document), `-${found.api.id}`)
  },
}

function isPublic(call: Call): boolean {
  return queryOf(call, 'mode') === 'public'
}

function shown(call: Call, document: Json): Json {
  return isPublic(call) ? withExtension(document, call.management.settings.vendor, undefined) : document
}

function download(call: Call, value: unknown, suffix: string): Reply {
  const { title } = vendorForms(call.management.settings.vendor)
  // A quote or a control character would end the file name or the header.
  const name = `${isPublic(call) ? 'oas' : `${title}OasApiDef`}${suffix}.json`.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return {
    status: 200,
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment;filename="${name}"`,
    },
    body: JSON.stringify(sorted(value), null, 2),
  }
}
