/** OpenAPI documents in bodies: JSON or YAML, checked. Source: docs/reference/openapi-documents.md#document-checks. */
import { isJson, type Json, memberOf } from '@turnpike/core/lib'
import { readText, rejectForeign, rejectOtherWord, tooLarge } from '../calls/read-body.ts'
import { failure, type Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'
import { parseDocumentText } from './parse-document-text.ts'

export type ReadDocument = { readonly value: Json; readonly rejection?: undefined } | { readonly rejection: Reply }

/**
 * Parses the document of a body; an empty body is an empty document. `check` returns what is wrong with the document or
 * its text.
 */
export async function readDocument(
  call: Call,
  check: (document: Json, text: string) => Promise<string | undefined>,
): Promise<ReadDocument> {
  const text = await readText(call.request, call.management.options.maxBodyBytes)
  if (text === undefined) return { rejection: tooLarge(call) }
  const document = text.trim() === '' ? {} : (await parseDocumentText(text)).value
  const foreign = rejectForeign(document) ?? rejectOtherWord(document, call.management.settings.vendor)
  if (foreign !== undefined) return { rejection: foreign }
  if (!isJson(document) || !hasOpenApiShape(document)) return { rejection: failure(400, 'request malformed') }
  const wrong = await check(document, text)
  return wrong === undefined ? { value: document } : { rejection: failure(400, wrong) }
}

type IsOfType = (value: unknown) => boolean

const isText: IsOfType = (value) => typeof value === 'string'

const memberTypes: readonly (readonly [path: readonly string[], isOfType: IsOfType])[] = [
  [['openapi'], isText],
  [['info'], isJson],
  [['info', 'title'], isText],
  [['info', 'version'], isText],
  [['info', 'description'], isText],
  [['servers'], Array.isArray],
  [['paths'], isJson],
  [['components'], isJson],
  [['security'], Array.isArray],
  [['tags'], Array.isArray],
  [['externalDocs'], isJson],
]

/**
 * Returns whether JSON is an OpenAPI document at all. This is checked first, so a member of a wrong type is reported as a
 * malformed body, not by the schema. A missing member or `null` is valid for every type.
 */
export function hasOpenApiShape(document: Json): boolean {
  return wrongOpenApiMember(document) === undefined
}

/** Returns the first member with a wrong type, such as `info.version`. */
export function wrongOpenApiMember(document: Json): string | undefined {
  const wrong = memberTypes.find(([path, isOfType]) => {
    const value = memberOf(document, ...path)
    return value !== undefined && value !== null && !isOfType(value)
  })
  return wrong?.[0].join('.')
}
