/** Writes definitions to disk. Source: docs/reference/api-management.md#create-checks, docs/reference/versions.md#creating-a-version. */
import {
  type ApiDefinition,
  type ClassicDefinition,
  classicShape,
  documentWithReferences,
  extensionOf,
  printDefinition,
  type VersionsDocument,
} from '@turnpike/core/definition'
import { memberOf, objectOf, readShape, textOf } from '@turnpike/core/lib'
import { failedWrite } from '../http/failed-write.ts'
import { parseJson } from '../http/parse-json.ts'
import { failure, type Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'

/**
 * Returns the error response if `<api_id>.json` defines another API, which a write would remove: the names of files are
 * free, so `orders.json` can define the API `bills`.
 */
export async function rejectForeignFile({ management }: Call, apiId: string): Promise<Reply | undefined> {
  const text = await management.files.readDefinition(apiId)
  const stored = text === undefined ? {} : objectOf(parseJson(text)?.value)
  const extension = extensionOf(stored, management.settings.vendor)
  const storedId = textOf(stored['api_id']) || textOf(memberOf(extension, 'info', 'id'))
  if (storedId === '' || storedId === apiId) return undefined
  const message = `The file ${apiId}.json defines the API ${storedId}. Rename that file, or choose another api_id`
  return failure(409, message)
}

/** Writes `<api_id>.json` of a classic API. Returns the error response if that fails. */
export async function writeDefinition(call: Call, document: ClassicDefinition): Promise<Reply | undefined> {
  const { files, log } = call.management
  try {
    const conflict = await rejectForeignFile(call, document.apiId)
    if (conflict !== undefined) return conflict
    await files.writeDefinition(document.apiId, printDefinition({ ...document, isOas: false }))
    return undefined
  } catch (error) {
    log.error('a definition cannot be written', { api: document.apiId, reason: String(error) })
    return failedWrite(error, 'Failed to create file!')
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
    return failedWrite(error, 'Failed to update base API')
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
