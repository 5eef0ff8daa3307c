/**
 * Removes the tools, resources and prompts that the caller may not use from the lists of an upstream. Other messages do
 * not change (docs/reference/mcp-proxies.md#list-filters).
 */

import type { Primitive, PrimitiveKind } from '../../definition/mcp/primitive.ts'
import { isJson, type Json } from '../../lib/json.ts'
import { parseExactly, stringifyExactly } from '../../lib/text/json-number.ts'
import { jsonLimitProblem } from '../../lib/text/read-json.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import { maxMessageValues } from './read-message.ts'

/** Returns true if the caller may use the primitive. */
export type IsVisible = (primitive: Primitive) => boolean

interface ItemList {
  /** Member of the result that holds the items. */
  readonly member: string
  readonly kind: PrimitiveKind
  /** Member of an item that contains its name. */
  readonly name: string
}

const lists: Readonly<Record<string, ItemList>> = {
  'tools/list': { member: 'tools', kind: 'tool', name: 'name' },
  'resources/list': { member: 'resources', kind: 'resource', name: 'uri' },
  'resources/templates/list': { member: 'resourceTemplates', kind: 'resource', name: 'uriTemplate' },
  'prompts/list': { member: 'prompts', kind: 'prompt', name: 'name' },
}
const allLists = Object.values(lists)

/** Returns true if the method requests a list that may need filtering. */
export function isListMethod(method: string): boolean {
  return Object.hasOwn(lists, method)
}

/**
 * Returns the JSON text of one or several messages without hidden items; `undefined` if nothing is hidden. `method`: method
 * of the request; `undefined` if it is unknown, as on a resumed stream. Throws if the text has too many values.
 */
export function hideItems(text: string, method: string | undefined, isVisible: IsVisible): string | undefined {
  const looked = method === undefined ? allLists : [lists[method]].filter((list) => list !== undefined)
  if (!looked.some(({ member }) => mayHold(text, member))) return undefined
  const problem = jsonLimitProblem(utf8Bytes(text), maxMessageValues)
  if (problem !== undefined) throw new Error(problem)
  let value: unknown
  try {
    value = parseExactly(text)
  } catch {
    return undefined
  }
  const messages = Array.isArray(value) ? value : [value]
  let changed = false
  const shown = messages.map((message: unknown) => {
    const filtered = isJson(message) ? withoutHidden(message, looked, isVisible) : undefined
    if (filtered !== undefined) changed = true
    return filtered ?? message
  })
  if (!changed) return undefined
  return stringifyExactly(Array.isArray(value) ? shown : shown[0])
}

/** A fast check before parsing. Escapes may hide a name, so they count as a match. */
function mayHold(text: string, member: string): boolean {
  return text.includes(member) || text.includes('\\u')
}

function withoutHidden(message: Json, looked: readonly ItemList[], isVisible: IsVisible): Json | undefined {
  const { result } = message
  if (!isJson(result)) return undefined
  let shown: Json | undefined
  for (const { member, kind, name } of looked) {
    const items = Object.hasOwn(result, member) ? result[member] : undefined
    if (!Array.isArray(items)) continue
    const kept = items.filter((item: unknown) => {
      const named = isJson(item) && Object.hasOwn(item, name) ? item[name] : undefined
      return typeof named !== 'string' || isVisible({ kind, name: named })
    })
    if (kept.length < items.length) shown = { ...(shown ?? result), [member]: kept }
  }
  return shown && { ...message, result: shown }
}
