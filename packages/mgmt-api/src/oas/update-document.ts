/** PUT /svc/apis/oas/{id}: replaces a document. Source: docs/reference/openapi-documents.md#document-checks. */

import { documentWithReferences, isApiId, type SidecarKind, validateDocument } from '@turnpike/core/definition'
import { type Json, vendorForms } from '@turnpike/core/lib'
import { apiNotFound, invalidApiId, isMcpProxy, writeNote } from '../apis/api-replies.ts'
import { rejectStages } from '../apis/read-definition.ts'
import { definitionWarnings, rejectIneffective } from '../calls/warnings.ts'
import { done, failure, type Reply } from '../http/reply.ts'
import { type Call, findApi, type Operation, paramOf } from '../operation.ts'
import { deriveClassic, ineffectiveMembers } from './derive-classic.ts'
import { changeResponses } from './document-notes.ts'
import { readDocument } from './read-document.ts'
import { writeDocument } from './write-document.ts'

export const updateDocument: Operation = {
  ...writeNote,
  id: 'updateDocument',
  method: 'PUT',
  path: '/svc/apis/oas/{id}',
  summary: 'Replace a loaded OpenAPI document',
  body: { schema: { type: 'object' }, description: 'The document; the id in its extension must be that of the path' },
  responses: changeResponses('The body is not fit, or the API is a classic definition'),
  async handle(call) {
    const { vendor } = call.management.settings
    const read = await readDocument(call, (document) => validateDocument(document, vendor))
    return read.rejection ?? replaceDocument(call, paramOf(call, 'id'), read.value)
  },
}

const otherId = failure(400, 'Request APIID does not match that in Definition! For Update operations these must match.')

/** Returns why the API cannot be changed as a document; `undefined` if it can. */
export function rejectChange(call: Call, id: string): Reply | undefined {
  if (!isApiId(id)) return invalidApiId
  const api = findApi(call, id)
  if (api === undefined || isMcpProxy(api)) return apiNotFound
  if (api.document.isOas) return undefined
  const { title } = vendorForms(call.management.settings.vendor)
  const message = `the supplied API definition is in OAS format, please use the ${title} classic format for this API`
  return failure(400, message)
}

/** Replaces the loaded document by a checked one. */
export async function replaceDocument(call: Call, id: string, document: Json): Promise<Reply> {
  return rejectChange(call, id) ?? overwriteDocument(call, id, document, 'oas')
}

/** The same for an API that is known to be of this kind. */
export async function overwriteDocument(call: Call, id: string, document: Json, kind: SidecarKind): Promise<Reply> {
  const derived = deriveClassic(call, document, kind, ({ apiId }) => (apiId === id ? undefined : otherId))
  if (derived.rejection) return derived.rejection
  const ineffective = ineffectiveMembers(call, document, derived.value)
  const rejected = rejectIneffective(call, ineffective) ?? (await rejectStages(call, derived.value, document))
  if (rejected !== undefined) return rejected
  const old = findApi(call, id)
  const oldListenPath = old && documentWithReferences(old).proxy.listenPath
  return (
    (await writeDocument(call, document, derived.value, oldListenPath)) ??
    done(id, 'modified', await definitionWarnings(call, ineffective, derived.value, document))
  )
}
