/**
 * The one place that decides what a value is that an owner brings: a definition, an OpenAPI document, an export of a
 * dashboard, a resource of the Kubernetes operator, a policy or a key. Unknown values are ignored.
 */
import { foreignDocumentOf } from '@turnpike/core/definition'
import { isJson, type Json, listOf, memberOf, textOf } from '@turnpike/core/lib'
import { plainObject } from './extended-json.ts'
import type { Found, FoundKey } from './found.ts'
import { readResources, type SourcedValue } from './operator-resources.ts'
import { addPolicies } from './read-policies.ts'
import { idOfDocument } from './vendor-word.ts'

/** Reads the values of files together, because resources of the operator refer to each other. */
export function readValues(values: readonly SourcedValue[], found: Found): void {
  const resources: SourcedValue[] = []
  for (const { value, source } of values) addValue(value, source, found, resources)
  readResources(resources, found)
}

/** Returns false if nothing identifies the value. */
function addValue(value: unknown, source: string, found: Found, resources: SourcedValue[]): boolean {
  if (Array.isArray(value)) return value.filter((entry) => addValue(entry, source, found, resources)).length > 0
  if (!isJson(value)) return false
  const foreign = foreignDocumentOf(value)
  switch (foreign?.kind) {
    case 'resource':
      resources.push({ value, source })
      return true
    case 'api-export':
      return addExport(value, source, found, resources)
    case 'document-export':
      return addValue(value['oas'], source, found, resources)
    case 'api-list':
      return addValue(value['apis'], source, found, resources)
    case 'asset':
    case 'sync-index':
      found.leftOut.push({ source, reason: foreign.reason })
      return true
    default:
      return addPlain(value, source, found)
  }
}

function addPlain(value: Json, source: string, found: Found): boolean {
  if (isJson(value['proxy'])) {
    const plain = plainObject(value)
    found.apis.push({ source, id: textOf(plain['api_id']), kind: 'definition', value: plain })
    return true
  }
  if (typeof value['openapi'] === 'string' || typeof value['swagger'] === 'string') {
    found.apis.push({ source, id: idOfDocument(value), kind: 'document', value })
    return true
  }
  const key = keyOfExport(value, source)
  if (key !== undefined) {
    found.keys.push(key)
    return true
  }
  return addPolicies(value, source, found)
}

/** The export of an API with a document contains both; of other APIs the member can be an empty document. */
function addExport(value: Json, source: string, found: Found, resources: SourcedValue[]): boolean {
  const hooks = listOf(value['hook_references'])
  if (hooks.length > 0) {
    const count = hooks.length === 1 ? '1 web hook' : `${hooks.length} web hooks`
    found.leftOut.push({ source, reason: `hook_references: ${count} of the dashboard; name them in event_handlers` })
  }
  const isOas = memberOf(value, 'api_definition', 'is_oas') === true && isJson(value['oas'])
  return addValue(isOas ? value['oas'] : value['api_definition'], source, found, resources)
}

/** The key in an export of a dashboard; `undefined` for other values. */
export function keyOfExport({ data, key_id: id, key_hash: hash }: Json, source: string): FoundKey | undefined {
  if (!isJson(data) || (textOf(id) === '' && textOf(hash) === '')) return undefined
  const isHash = textOf(id) === ''
  return { source, name: textOf(isHash ? hash : id), isHash, session: plainObject(data) }
}
