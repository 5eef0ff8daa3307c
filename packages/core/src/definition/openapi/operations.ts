/**
 * The operations of a document in the order of their rules: longer paths first, and fixed segments before variables,
 * because rules match anywhere in a path and the first match counts.
 * Source: docs/reference/openapi-extension.md#operation-paths.
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

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

/** All operations of a document. */
export function operationsOf(document: Json): readonly DocumentOperation[] {
  const found: DocumentOperation[] = []
  for (const [path, given] of Object.entries(isJson(document['paths']) ? document['paths'] : {})) {
    const item = deref(document, given)
    if (item === undefined) continue
    for (const method of methods) {
      const operation = memberOf(item, method)
      if (!isJson(operation)) continue
      const parameters = parametersOf(document, item, operation)
      found.push({ id: textOf(operation['operationId']), path, method: method.toUpperCase(), operation, parameters })
    }
  }
  return found.sort(bySpecificity)
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
    const parameter = deref(document, given)
    if (parameter !== undefined) byName.set(`${textOf(parameter['in'])} ${textOf(parameter['name'])}`, parameter)
  }
  return [...byName.values()]
}

function bySpecificity(a: DocumentOperation, b: DocumentOperation): number {
  const [partsA, partsB] = [a.path.split('/'), b.path.split('/')]
  if (partsA.length !== partsB.length) return partsB.length - partsA.length
  const variables = (parts: readonly string[]) => parts.filter((part) => part.includes('{')).length
  return variables(partsA) - variables(partsB) || b.path.length - a.path.length
}
