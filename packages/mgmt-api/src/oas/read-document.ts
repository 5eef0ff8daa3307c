/** OpenAPI documents in bodies: JSON or YAML, checked. Source: docs/reference/openapi-documents.md#document-checks. */
import { isJson, type Json } from '@turnpike/core'
import { readText } from '../http/read-body.ts'
import { failure, type Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'
import { hasOpenApiShape } from './open-api-shape.ts'
import { parseDocumentText } from './parse-document-text.ts'

export type ReadDocument = { readonly value: Json; readonly refusal?: undefined } | { readonly refusal: Reply }

/**
 * Parses the document of a body; an empty body is an empty document. `check` returns what is wrong with the document or
 * its text.
 */
export async function readDocument(
  call: Call,
  check: (document: Json, text: string) => Promise<string | undefined>,
): Promise<ReadDocument> {
  const text = await readText(call.request, call.management.options.maxBodyBytes)
  if (text === undefined) return { refusal: failure(413, 'Request Entity Too Large') }
  const document = text.trim() === '' ? {} : (await parseDocumentText(text)).value
  if (!isJson(document) || !hasOpenApiShape(document)) return { refusal: failure(400, 'request malformed') }
  const wrong = await check(document, text)
  return wrong === undefined ? { value: document } : { refusal: failure(400, wrong) }
}
