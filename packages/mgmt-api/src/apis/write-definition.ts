/** Definitions on their way to disk. Source: docs/reference/api-management.md#create-checks, docs/reference/versions.md#creating-a-version. */
import {
  type ApiDefinition,
  type ClassicDefinition,
  classicShape,
  printDefinition,
  readShape,
  type VersionsDocument,
} from '@turnpike/core'
import { parseJson } from '../http/parse-json.ts'
import { failure, type Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'

/** Writes `<api_id>.json`, as of an API that is no OpenAPI document; the refusal when it cannot be written. */
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

/**
 * Writes the base of versions anew with another `definition` part. What is on disk is changed, not what is loaded:
 * there, texts such as `secrets://name` are already replaced by what they stand for.
 */
export async function rewriteBase(
  call: Call,
  base: ApiDefinition,
  change: (versions: VersionsDocument) => VersionsDocument,
): Promise<Reply | undefined> {
  const { files, log } = call.management
  try {
    const document = (await documentOnDisk(call, base.id)) ?? base.document
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

/** What `<api_id>.json` says; `undefined`: there is no such file, or it cannot be read. */
export async function documentOnDisk(call: Call, apiId: string): Promise<ClassicDefinition | undefined> {
  const text = await call.management.files.readDefinition(apiId)
  const parsed = text === undefined ? undefined : parseJson(text)
  if (parsed === undefined) return undefined
  const read = readShape(classicShape, parsed.value)
  return read.readable ? read.value : undefined
}
