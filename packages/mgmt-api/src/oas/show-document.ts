/** Documents in responses: JSON with sorted names and without a final newline. Source: docs/reference/openapi-documents.md#endpoints. */
import {
  type ApiDefinition,
  baseOf,
  documentWithReferences,
  extensionOf,
  fillExtension,
  isJson,
  type Json,
  oasWithReferences,
  vendorForms,
  withExtension,
} from '@turnpike/core'
import { findApi, isMcpProxy } from '../apis/api-replies.ts'
import { failure, type Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'

/** A loaded document. */
export interface LoadedDocument {
  readonly api: ApiDefinition
  readonly document: Json
}

/** All loaded documents except those of MCP proxies. */
export function loadedDocuments(call: Call): readonly Json[] {
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
export function findDocument(call: Call, id: string): LoadedDocument | { readonly refusal: Reply } {
  const api = findApi(call, id)
  if (api === undefined) return { refusal: failure(404, 'API not found') }
  const document = filledDocument(call, api)
  if (document !== undefined) return { api, document }
  const { title } = vendorForms(call.management.settings.vendor)
  const message = `the requested API definition is in ${title} classic format, please use old api endpoint`
  return { refusal: failure(400, message) }
}

export function documentReply(call: Call, document: unknown, apiId?: string): Reply {
  const base = apiId === undefined ? undefined : baseOf(apiId, call.management.definitions())
  const baseHeader = `x-${vendorForms(call.management.settings.vendor).lower}-base-api-id`
  return {
    status: 200,
    headers: { 'content-type': 'application/json', ...(base === undefined ? {} : { [baseHeader]: base.id }) },
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
