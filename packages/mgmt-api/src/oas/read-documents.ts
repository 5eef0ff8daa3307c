/** GET /svc/apis/oas and GET /svc/apis/oas/{id}: loaded documents. Source: docs/reference/openapi-documents.md#endpoints. */
import { type Operation, paramOf, type ResponseNote } from '../operation.ts'
import { documentReply, findDocument, loadedDocuments } from './show-document.ts'

const documentResponse: ResponseNote = { description: 'The document with its extension', schema: { type: 'object' } }

export const listDocuments: Operation = {
  id: 'listDocuments',
  method: 'GET',
  path: '/svc/apis/oas',
  tag: 'oas',
  summary: 'Loaded OpenAPI documents, each with its extension',
  responses: {
    200: { description: 'Documents, order open', schema: { type: 'array', items: { type: 'object' } } },
  },
  handle: (call) => documentReply(call, loadedDocuments(call)),
}

export const getDocument: Operation = {
  id: 'getDocument',
  method: 'GET',
  path: '/svc/apis/oas/{id}',
  tag: 'oas',
  summary: 'A loaded OpenAPI document, with the extension that is served',
  responses: { 200: documentResponse, 400: 'The API is a classic definition', 404: 'API not found' },
  handle(call) {
    const id = paramOf(call, 'id')
    const found = findDocument(call, id)
    return 'refusal' in found ? found.refusal : documentReply(call, found.document, id)
  },
}
