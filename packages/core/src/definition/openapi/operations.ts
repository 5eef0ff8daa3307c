/**
 * The operations of a document in the order of their rules. Rules match anywhere in a path and the first match counts, so
 * longer paths come first. Source: docs/reference/openapi-validation.md#overlapping-paths.
 */

import { isJson, type Json, listOf, memberOf, textOf } from '../../lib/json.ts'
import { resolvePointer } from '../../lib/json-schema/resolve-pointer.ts'

export interface DocumentOperation {
  /** `operationId`; empty if it is missing. */
  readonly id: string
  /** As in the document: `/pets/{id}`. */
  readonly path: string
  /** In upper case. */
  readonly method: string
  readonly operation: Json
  /** Parameters of the operation and of its path, with references resolved. */
  readonly parameters: readonly Json[]
}

/** Members of a path item that are operations. */
export const operationMethods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

const known = new WeakMap<Json, readonly DocumentOperation[]>()

/** All operations of a document. They are collected once, because several stages and conversions need them. */
export function operationsOf(document: Json): readonly DocumentOperation[] {
  const found = known.get(document) ?? collectOperations(document)
  known.set(document, found)
  return found
}

function collectOperations(document: Json): readonly DocumentOperation[] {
  const found: (DocumentOperation & Sorted)[] = []
  for (const [path, given] of Object.entries(isJson(document['paths']) ? document['paths'] : {})) {
    const item = deref(document, given)
    if (item === undefined) continue
    const bare = pathShapeOf(path).replaceAll('{}', '')
    const slashes = bare.split('/').length
    for (const method of operationMethods) {
      const operation = memberOf(item, method)
      if (!isJson(operation)) continue
      const parameters = parametersOf(document, item, operation)
      const id = textOf(operation['operationId'])
      found.push({ id, path, method: method.toUpperCase(), operation, parameters, bare, slashes })
    }
  }
  return found.sort(byPrecedence)
}

/** Resolves a value that can be a `$ref` within the document; `undefined`: the target does not exist. */
export function deref(document: Json, value: unknown): Json | undefined {
  let at = value
  for (let hops = 0; hops < 20; hops++) {
    if (!isJson(at)) return undefined
    const reference = at['$ref']
    if (typeof reference !== 'string') return at
    at = resolvePointer(document, reference)
  }
  return undefined
}

function parametersOf(document: Json, item: Json, operation: Json): readonly Json[] {
  const byName = new Map<string, Json>()
  for (const given of [...listOf(item['parameters']), ...listOf(operation['parameters'])]) {
    // A reference that leads nowhere stays, so that validation can reject the requests.
    const parameter = deref(document, given) ?? (isJson(given) ? given : undefined)
    if (parameter === undefined) continue
    const key = `${textOf(parameter['in'])} ${textOf(parameter['name'] ?? parameter['$ref'])}`
    // A parameter of the operation keeps its place there, also if it replaces one of the path.
    byName.delete(key)
    byName.set(key, parameter)
  }
  return [...byName.values()]
}

/** The path with empty names of parameters: paths of one shape match the same requests. */
export function pathShapeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}')
}

/** What the order of operations depends on: the path without its parameters. */
interface Sorted {
  readonly bare: string
  readonly slashes: number
}

/** Without its parameters: more segments, then the longer path, then the alphabet. Alike: the shorter as written. */
function byPrecedence(a: DocumentOperation & Sorted, b: DocumentOperation & Sorted): number {
  return (
    b.slashes - a.slashes ||
    b.bare.length - a.bare.length ||
    alphabetical(a.bare, b.bare) ||
    a.path.length - b.path.length ||
    alphabetical(b.path, a.path)
  )
}

function alphabetical(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
