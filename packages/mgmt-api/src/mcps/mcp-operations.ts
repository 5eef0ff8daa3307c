/** MCP proxies: /svc/mcps. Source: docs/reference/mcp-proxies.md#mcp-endpoints, docs/reference/mcp-proxies.md#mcp-document-checks. */

import { type ApiDefinition, isApiId, validateMcpDocument } from '@turnpike/core/definition'
import { apiNotFound, changeNote, invalidApiId, isMcpProxy, versionQuery, writeNote } from '../apis/api-replies.ts'
import { removeApi } from '../apis/delete-api.ts'
import { parseJson } from '../http/parse-json.ts'
import { failure, json, type Reply } from '../http/reply.ts'
import { createDocument } from '../oas/create-documents.ts'
import { changeResponses, createResponses } from '../oas/document-notes.ts'
import { type ReadDocument, readDocument } from '../oas/read-document.ts'
import { documentReply, filledDocument, sorted } from '../oas/read-documents.ts'
import { overwriteDocument } from '../oas/update-document.ts'
import { type Call, doneResponse, findApi, type Operation, paramOf } from '../operation.ts'

export const listMcps: Operation = {
  id: 'listMcps',
  method: 'GET',
  path: '/svc/mcps',
  summary: 'Loaded MCP proxies, each with its extension',
  responses: {
    200: { description: 'Documents, order open', schema: { type: 'array', items: { type: 'object' } } },
  },
  handle(call) {
    const proxies = call.management.definitions().filter(isMcpProxy)
    return json(sorted(proxies.map((api) => filledDocument(call, api)).filter((document) => document !== undefined)))
  },
}

export const getMcp: Operation = {
  id: 'getMcp',
  method: 'GET',
  path: '/svc/mcps/{id}',
  summary: 'A loaded MCP proxy, with the extension that is served',
  responses: {
    200: { description: 'The document with its extension', schema: { type: 'object' } },
    400: 'The id cannot be one',
    404: 'API not found, or it is no MCP proxy',
  },
  handle(call) {
    const { api, rejection } = findMcp(call)
    if (rejection !== undefined) return rejection
    const document = filledDocument(call, api)
    // A hand-written classic definition has no document to return.
    return document === undefined ? failure(404, 'API is not an MCP Proxy') : documentReply(call, document, api.id)
  },
}

export const addMcp: Operation = {
  ...writeNote,
  id: 'addMcp',
  method: 'POST',
  path: '/svc/mcps',
  summary: 'Write an MCP proxy; one with the same id is replaced',
  query: versionQuery('document'),
  body: { schema: { type: 'object' }, description: 'OpenAPI 3.0 or 3.1 with the extension, JSON' },
  responses: createResponses('The body is no such document, or its extension is not valid'),
  async handle(call) {
    const read = await readMcpDocument(call)
    return read.rejection ?? createDocument(call, read.value, 'mcp')
  },
}

export const updateMcp: Operation = {
  ...writeNote,
  id: 'updateMcp',
  method: 'PUT',
  path: '/svc/mcps/{id}',
  summary: 'Replace a loaded MCP proxy',
  body: { schema: { type: 'object' }, description: 'The document; the id in its extension must be that of the path' },
  responses: changeResponses('The body is not fit', 'API not found, or it is no MCP proxy'),
  async handle(call) {
    const read = await readMcpDocument(call)
    if (read.rejection) return read.rejection
    const { api, rejection } = findMcp(call)
    return rejection ?? overwriteDocument(call, api.id, read.value, 'mcp')
  },
}

export const deleteMcp: Operation = {
  ...changeNote,
  id: 'deleteMcp',
  method: 'DELETE',
  path: '/svc/mcps/{id}',
  summary: 'Remove a loaded MCP proxy: its document and its definition',
  responses: {
    200: doneResponse,
    400: 'The id cannot be one',
    404: 'API not found, or it is no MCP proxy',
    500: 'Its file has another name, or cannot be removed',
  },
  handle(call) {
    const { api, rejection } = findMcp(call)
    return rejection ?? removeApi(call, api)
  },
}

type FoundMcp =
  | { readonly api: ApiDefinition; readonly rejection?: undefined }
  | { readonly api?: undefined; readonly rejection: Reply }

/** The proxy, or the error response. */
function findMcp(call: Call): FoundMcp {
  const id = paramOf(call, 'id')
  if (!isApiId(id)) return { rejection: invalidApiId }
  const api = findApi(call, id)
  if (api === undefined) return { rejection: apiNotFound }
  return isMcpProxy(api) ? { api } : { rejection: failure(404, 'API is not an MCP Proxy') }
}

/** Parses the document of a body. Rejects YAML with the error of the schema. */
function readMcpDocument(call: Call): Promise<ReadDocument> {
  return readDocument(call, async (document, text) => {
    const { vendor } = call.management.settings
    const wrong = await validateMcpDocument(document, vendor)
    // Reported at the position of the schema check: after extension and version, before everything else.
    if (text.trim() === '' || parseJson(text) !== undefined || isEarly(wrong)) return wrong
    return `invalid character '${text.trimStart()[0]}' looking for beginning of value`
  })
}

function isEarly(wrong: string | undefined): boolean {
  return /^(?:the payload should contain|schema not found|malformed version)/.test(wrong ?? '')
}
