/**
 * Lists of tools, resources and prompts without what the caller may not use. Works on what an upstream sent as the
 * answer to a list method; everything that is no such list stays as it is. Source: spec/oas-and-mcp.md 2.4.
 */

import type { Primitive, PrimitiveKind } from '../../definition/mcp/primitive.ts'
import { isJson, type Json } from '../../lib/json.ts'

/** Whether the caller may use it. */
export type IsVisible = (primitive: Primitive) => boolean

interface ItemList {
  /** Member of the result that holds the items. */
  readonly member: string
  readonly kind: PrimitiveKind
  /** Member of an item that names it. */
  readonly name: string
}

const lists: Readonly<Record<string, ItemList>> = {
  'tools/list': { member: 'tools', kind: 'tool', name: 'name' },
  'resources/list': { member: 'resources', kind: 'resource', name: 'uri' },
  'resources/templates/list': { member: 'resourceTemplates', kind: 'resource', name: 'uriTemplate' },
  'prompts/list': { member: 'prompts', kind: 'prompt', name: 'name' },
}
const allLists = Object.values(lists)

/** Whether the method asks for a list that may have to be filtered. */
export function isListMethod(method: string): boolean {
  return Object.hasOwn(lists, method)
}

/**
 * The JSON text of a message, or of several, without hidden items; `undefined` when nothing is hidden in it. `method`:
 * of the request that it answers; `undefined`: not known, as on a stream that is taken up again.
 */
export function hideItems(text: string, method: string | undefined, isVisible: IsVisible): string | undefined {
  const looked = method === undefined ? allLists : [lists[method]].filter((list) => list !== undefined)
  if (!looked.some(({ member }) => mayHold(text, member))) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
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
  return JSON.stringify(Array.isArray(value) ? shown : shown[0])
}

/** Cheap look before parsing; escapes may hide a name. */
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
