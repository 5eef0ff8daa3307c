/** POST of documents: with an extension, or an import of a plain one. Source: docs/reference/openapi-documents.md#document-checks, docs/reference/openapi-documents.md#import. */
import {
  checkVersionParams,
  extensionOf,
  isApiId,
  readVersionParams,
  type SidecarKind,
  validateDocument,
  withExtension,
  withVersion,
} from '@turnpike/core/definition'
import { type Json, objectOf } from '@turnpike/core/lib'
import { invalidApiId, versionQuery, writeNote } from '../apis/api-replies.ts'
import { rejectStages } from '../apis/read-definition.ts'
import { rewriteBase } from '../apis/write-definition.ts'
import { definitionWarnings, rejectIneffective } from '../calls/warnings.ts'
import { done, failure, type Reply } from '../http/reply.ts'
import { type Call, findApi, type Operation, type QueryNote } from '../operation.ts'
import { deriveClassic, ineffectiveMembers } from './derive-classic.ts'
import { createResponses } from './document-notes.ts'
import { makeImport } from './make-import.ts'
import { readDocument } from './read-document.ts'
import { writeDocument } from './write-document.ts'

export const addDocument: Operation = {
  ...writeNote,
  id: 'addDocument',
  method: 'POST',
  path: '/svc/apis/oas',
  summary: 'Write an OpenAPI document with its extension; one with the same id is replaced',
  query: versionQuery('document'),
  body: { schema: { type: 'object' }, description: 'OpenAPI 3.0 or 3.1, JSON or YAML' },
  responses: createResponses('The body is no such document, or its extension is not valid'),
  async handle(call) {
    const { vendor } = call.management.settings
    const read = await readDocument(call, (document) => validateDocument(document, vendor))
    return read.rejection ?? createDocument(call, read.value)
  },
}

export const importQuery: readonly QueryNote[] = [
  { name: 'upstreamURL', description: 'Target; without it, the first entry of `servers`' },
  { name: 'listenPath', description: 'Default: `/`' },
  { name: 'customDomain', description: 'Host name that selects the API' },
  { name: 'authentication', description: '`true`: by the schemes that `security` names' },
  { name: 'securityProcessingMode', description: '`compliant`: the entries of `security` are alternatives' },
  { name: 'allowList', description: '`true`: only the operations of the document are open' },
  { name: 'validateRequest', description: '`true`: parameters and bodies are checked' },
  { name: 'mockResponse', description: '`true`: operations with examples respond with them' },
]

export const importDocument: Operation = {
  ...writeNote,
  id: 'importDocument',
  method: 'POST',
  path: '/svc/apis/oas/import',
  summary: 'Make an API of an OpenAPI document without extension',
  query: [
    { name: 'apiID', description: 'Id of the API; without it, a random one' },
    ...importQuery,
    ...versionQuery('document'),
  ],
  body: { schema: { type: 'object' }, description: 'OpenAPI 3.0 or 3.1, JSON or YAML' },
  responses: createResponses('The body is no such document, or a parameter does not fit it'),
  async handle(call) {
    const { vendor } = call.management.settings
    let imported: Json = {}
    const read = await readDocument(call, async (document) => {
      const made = await makeImport(document, call.query, vendor)
      if (made.problem === undefined) imported = made.value
      return made.problem
    })
    return read.rejection ?? createDocument(call, imported)
  },
}

/** Writes a checked document as a new API. */
export async function createDocument(call: Call, given: Json, kind: SidecarKind = 'oas'): Promise<Reply> {
  const params = readVersionParams((name) => call.query.get(name))
  const base = params.baseApiId === '' ? undefined : findApi(call, params.baseApiId)
  const unfit = checkVersionParams(params, base?.document.definition)
  if (unfit !== undefined) return failure(unfit.status, unfit.message)
  const derived = deriveClassic(call, given, kind)
  if (derived.rejection) return derived.rejection
  const ineffective = ineffectiveMembers(call, given, derived.value)
  const rejected = rejectIneffective(call, ineffective) ?? (await rejectStages(call, derived.value, given))
  if (rejected !== undefined) return rejected
  const apiId = derived.value.apiId === '' ? call.management.ids.uuid() : derived.value.apiId
  if (!isApiId(apiId)) return invalidApiId
  const definition = { ...derived.value, apiId }
  const rejection =
    (await writeDocument(call, withId(call, given, apiId), definition)) ??
    (base && (await rewriteBase(call, base, (versions) => withVersion(versions, params, apiId))))
  return rejection ?? done(apiId, 'added', await definitionWarnings(call, ineffective, definition, given))
}

function withId(call: Call, document: Json, apiId: string): Json {
  const { vendor } = call.management.settings
  const extension = objectOf(extensionOf(document, vendor))
  return withExtension(document, vendor, { ...extension, info: { ...objectOf(extension['info']), id: apiId } })
}
