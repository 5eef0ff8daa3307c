/** Writes definitions to disk. Source: docs/reference/api-management.md#create-checks, docs/reference/versions.md#creating-a-version. */
import {
  type ApiDefinition,
  type ClassicDefinition,
  classicShape,
  documentWithReferences,
  printDefinition,
  type VersionsDocument,
} from '@turnpike/core/definition'
import { readShape } from '@turnpike/core/lib'
import { parseJson } from '../http/parse-json.ts'
import { failure, type Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'

/** Writes `<api_id>.json` of a classic API. Returns the error response if that fails. */
export async function writeDefinition(call: Call, document: ClassicDefinition): Promise<Reply | undefined> {
  const { files, log } = call.management
  try {
    await files.writeDefinition(document.apiId, printDefinition({ ...document, isOas: false }))
    return undefined
  } catch (error) {
    log.error('a definition cannot be written', { api: document.apiId, reason: String(error) })
    return failure(500, 'Failed to create file!')
  }
}

/** Rewrites the base API with another `definition` part. It changes the file, which can be newer than the loaded one. */
export async function rewriteBase(
  call: Call,
  base: ApiDefinition,
  change: (versions: VersionsDocument) => VersionsDocument,
): Promise<Reply | undefined> {
  const { files, log } = call.management
  try {
    const document = (await documentOnDisk(call, base.id)) ?? documentWithReferences(base)
    const definition = change(document.definition)
    if (definition !== document.definition) {
      await files.writeDefinition(base.id, printDefinition({ ...document, definition }))
    }
    return undefined
  } catch (error) {
    log.error('the base of a version cannot be written', { api: base.id, reason: String(error) })
    return failure(500, 'Failed to update base API')
  }
}

/** Content of `<api_id>.json`; `undefined` if it is missing or unreadable. */
export async function documentOnDisk(call: Call, apiId: string): Promise<ClassicDefinition | undefined> {
  const text = await call.management.files.readDefinition(apiId)
  const parsed = text === undefined ? undefined : parseJson(text)
  if (parsed === undefined) return undefined
  const read = readShape(classicShape, parsed.value)
  return read.readable ? read.value : undefined
}
