/** Gives operations an id, so that an extension can refer to them. */
import { isJson, type Json, operationsOf } from '@turnpike/core'

/** Returns the document with an id for every operation: path and method, such as `pets/{id}get`. */
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
