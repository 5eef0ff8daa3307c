/** Adds the extension to a plain OpenAPI document. Source: docs/reference/openapi-documents.md#import. */
import {
  extensionName,
  operationsOf,
  validateExtension,
  validatePlainDocument,
  withExtension,
} from '@turnpike/core/definition'
import { isJson, type Json } from '@turnpike/core/lib'
import { extendByParameters } from './import-extension.ts'

export type MadeImport = { readonly value: Json; readonly problem?: undefined } | { readonly problem: string }

/**
 * Returns the document with the extension that the parameters of an import describe, or why it is rejected. Operations
 * without an id get one.
 */
export async function makeImport(document: Json, query: URLSearchParams, vendor: string): Promise<MadeImport> {
  const key = extensionName(vendor)
  if (Object.hasOwn(document, key)) return { problem: `the import payload should not contain ${key}` }
  const named = namedOperations(document)
  const invalid = await validatePlainDocument(named, vendor)
  if (invalid !== undefined) return { problem: invalid }
  const extended = extendByParameters(named, {}, query, true)
  if (extended.problem !== undefined) return extended
  const value = withExtension(named, vendor, extended.value)
  // Parameters can give the extension values that it does not allow.
  const wrong = await validateExtension(value, vendor)
  return wrong === undefined ? { value } : { problem: wrong }
}

/** Returns the document with an id for every operation: path and method, such as `pets/{id}get`, so that an extension can refer to it. */
export function namedOperations(document: Json): Json {
  const unnamed = operationsOf(document).filter(({ id }) => id === '')
  if (unnamed.length === 0 || !isJson(document['paths'])) return document
  const paths: Record<string, unknown> = { ...document['paths'] }
  for (const { path, method } of unnamed) {
    const item = paths[path]
    const name = method.toLowerCase()
    if (!isJson(item) || !isJson(item[name])) continue
    const operationId = `${path.replace(/^\//, '')}${name}`
    paths[path] = { ...item, [name]: { ...item[name], operationId } }
  }
  return { ...document, paths }
}
