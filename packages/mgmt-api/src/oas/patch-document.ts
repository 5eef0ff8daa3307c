/** PATCH /svc/apis/oas/{id}: another OpenAPI part under the same extension. Source: docs/reference/openapi-documents.md#patch. */

import {
  documentWithReferences,
  extensionName,
  extensionOf,
  fillExtension,
  oasWithReferences,
  sidecarNameOf,
  validateDocument,
  validatePlainDocument,
  withExtension,
} from '@turnpike/core/definition'
import { isJson, type Json } from '@turnpike/core/lib'
import { writeNote } from '../apis/api-replies.ts'
import { documentOnDisk } from '../apis/write-definition.ts'
import { parseJson } from '../http/parse-json.ts'
import { failure } from '../http/reply.ts'
import { type Call, findApi, type Operation, paramOf } from '../operation.ts'
import { importQuery } from './create-documents.ts'
import { changeResponses } from './document-notes.ts'
import { extendByParameters, importParameters, withoutLostOperations } from './import-extension.ts'
import { namedOperations } from './make-import.ts'
import { readDocument } from './read-document.ts'
import { rejectChange, replaceDocument } from './update-document.ts'
import { withoutOwnServers } from './write-document.ts'

export const patchDocument: Operation = {
  ...writeNote,
  id: 'patchDocument',
  method: 'PATCH',
  path: '/svc/apis/oas/{id}',
  summary: 'Replace the OpenAPI part of a loaded document; its extension stays',
  query: importQuery,
  body: { schema: { type: 'object' }, description: 'The document; with an extension and no parameters, as PUT' },
  responses: changeResponses('The body is not fit, or the API is a classic definition'),
  async handle(call) {
    const { vendor } = call.management.settings
    const hasParameters = importParameters.some((name) => call.query.has(name))
    const isWhole = (document: Json) => Object.hasOwn(document, extensionName(vendor)) && !hasParameters
    const read = await readDocument(call, (document) =>
      isWhole(document) ? validateDocument(document, vendor) : validatePlainDocument(document, vendor),
    )
    if (read.rejection) return read.rejection
    const id = paramOf(call, 'id').trim()
    if (id === '') return failure(400, 'Must specify an apiID to patch')
    if (isWhole(read.value)) return replaceDocument(call, id, read.value)
    const rejected = rejectChange(call, id)
    if (rejected !== undefined) return rejected

    const document = namedOperations(read.value)
    const old = await storedDocument(call, id)
    const extended = extendByParameters(document, old.extension, call.query, false)
    if (extended.problem !== undefined) return failure(400, extended.problem)
    const extension = withoutLostOperations(document, extended.value)
    const servers = document['servers'] ?? old.servers
    const whole = withExtension({ ...document, servers }, vendor, extension)
    const wrong = hasParameters ? await validateDocument(whole, vendor) : undefined
    return wrong === undefined ? replaceDocument(call, id, whole) : failure(400, wrong)
  },
}

/** Reads the file, which can be newer than the loaded document. */
async function storedDocument(call: Call, id: string): Promise<{ extension: Json; servers: readonly unknown[] }> {
  const { files, settings } = call.management
  const loaded = findApi(call, id)
  const text = await files.readDefinition(sidecarNameOf(id))
  const parsed = text === undefined ? undefined : parseJson(text)?.value
  const document = isJson(parsed) ? parsed : ((loaded && oasWithReferences(loaded)) ?? {})
  const classic = (await documentOnDisk(call, id)) ?? (loaded && documentWithReferences(loaded))
  const extension = extensionOf(document, settings.vendor) ?? {}
  return {
    extension: classic === undefined ? extension : fillExtension(extension, classic),
    servers: withoutOwnServers(call, document, classic?.proxy.listenPath ?? ''),
  }
}
