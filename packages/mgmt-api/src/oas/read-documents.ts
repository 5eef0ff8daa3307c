/**
 * GET /svc/apis/oas and GET /svc/apis/oas/{id}: loaded documents, and the same as files with `/export`. The JSON has sorted
 * names and no final newline. Source: docs/reference/openapi-documents.md#endpoints.
 */

import {
  type ApiDefinition,
  documentWithReferences,
  extensionOf,
  fillExtension,
  oasWithReferences,
  withExtension,
} from '@turnpike/core/definition'
import { isJson, type Json, vendorForms } from '@turnpike/core/lib'
import { baseHeader, isMcpProxy } from '../apis/api-replies.ts'
import { failure, type Reply } from '../http/reply.ts'
import { type Call, findApi, type Operation, paramOf, queryOf, type ResponseNote } from '../operation.ts'

const documentResponse: ResponseNote = { description: 'The document with its extension', schema: { type: 'object' } }

export const listDocuments: Operation = {
  id: 'listDocuments',
  method: 'GET',
  path: '/svc/apis/oas',
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
  summary: 'A loaded OpenAPI document, with the extension that is served',
  responses: { 200: documentResponse, 400: 'The API is a classic definition', 404: 'API not found' },
  handle(call) {
    const id = paramOf(call, 'id')
    const found = findDocument(call, id)
    return 'rejection' in found ? found.rejection : documentReply(call, found.document, id)
  },
}

/** A loaded document. */
interface LoadedDocument {
  readonly api: ApiDefinition
  readonly document: Json
}

/** All loaded documents except those of MCP proxies. */
function loadedDocuments(call: Call): readonly Json[] {
  return call.management
    .definitions()
    .filter((api) => !isMcpProxy(api))
    .map((api) => filledDocument(call, api))
    .filter((document) => document !== undefined)
}

/** The document with the served extension; `undefined` if the API has no document. */
export function filledDocument(call: Call, api: ApiDefinition): Json | undefined {
  const oas = oasWithReferences(api)
  if (oas === undefined) return undefined
  const { vendor } = call.management.settings
  const extension = fillExtension(extensionOf(oas, vendor) ?? {}, documentWithReferences(api))
  return withExtension({ components: {}, ...oas }, vendor, extension)
}

/** The document with this id, or the error response. */
function findDocument(call: Call, id: string): LoadedDocument | { readonly rejection: Reply } {
  const api = findApi(call, id)
  if (api === undefined) return { rejection: failure(404, 'API not found') }
  const document = filledDocument(call, api)
  if (document !== undefined) return { api, document }
  const { title } = vendorForms(call.management.settings.vendor)
  const message = `the requested API definition is in ${title} classic format, please use old api endpoint`
  return { rejection: failure(400, message) }
}

export function documentReply(call: Call, document: unknown, apiId?: string): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', ...(apiId === undefined ? {} : baseHeader(call, apiId)) },
    body: JSON.stringify(sorted(document)),
  }
}

/** Sorts the member names of all nested objects. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJson(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  )
}

const note: Pick<Operation, 'method' | 'query'> = {
  method: 'GET',
  query: [{ name: 'mode', description: '`public`: without the extension' }],
}

export const exportDocuments: Operation = {
  ...note,
  id: 'exportDocuments',
  path: '/svc/apis/oas/export',
  summary: 'Download all loaded documents',
  responses: { 200: { description: 'A list of documents, as a file', type: 'application/octet-stream' } },
  handle(call) {
    const documents = loadedDocuments(call).map((document) => shown(call, document))
    return download(call, documents, '')
  },
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
    return 'rejection' in found ? found.rejection : download(call, shown(call, found.document), `-${found.api.id}`)
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
