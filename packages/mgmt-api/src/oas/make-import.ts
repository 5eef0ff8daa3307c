/** Adds the extension to a plain OpenAPI document. Source: docs/reference/openapi-documents.md#import. */
import { extensionName, type Json, validateDocument, validatePlainDocument, withExtension } from '@turnpike/core'
import { extendByParameters } from './import-extension.ts'
import { namedOperations } from './named-operations.ts'

export type MadeImport = { readonly value: Json; readonly problem?: undefined } | { readonly problem: string }

/**
 * Returns the document with the extension that the parameters of an import describe, or why it is rejected. Operations
 * without an id get one.
 */
export async function makeImport(document: Json, query: URLSearchParams, vendor: string): Promise<MadeImport> {
  const key = extensionName(vendor)
  if (Object.hasOwn(document, key)) return { problem: `the import payload should not contain ${key}` }
  const invalid = await validatePlainDocument(document, vendor)
  if (invalid !== undefined) return { problem: invalid }
  const named = namedOperations(document)
  const extended = extendByParameters(named, {}, query, true)
  if (extended.problem !== undefined) return extended
  const value = withExtension(named, vendor, extended.value)
  // Parameters can give the extension values that it does not allow.
  const wrong = await validateDocument(value, vendor)
  return wrong === undefined ? { value } : { problem: wrong }
}
