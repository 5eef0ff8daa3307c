/** Headers of an item: only its own, as if a client had sent them. */
import { type HeaderPairs, isToken } from '@turnpike/core/http'
import { fieldValueOf } from '@turnpike/core/lib'

/** Maximum number of header lines of an item, the same as for the front ends. */
export const maxItemHeaders = 99

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\0-\x08\x0a-\x1f\x7f]/

/**
 * The gateway sets the headers that frame a message or name its host: a length from the item could contradict its
 * body. An item has no connection that could be upgraded.
 */
const gatewayHeaders: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'trailer',
  'upgrade',
  'expect',
])

/**
 * Returns pairs with lower-case names, sorted as recorded; `undefined` if a name or value is invalid in a request. Of an item
 * with too many headers it returns the names only: `run-item.ts` rejects such an item without reading them.
 */
export function toItemHeaders(given: Readonly<Record<string, string>> | null): HeaderPairs | undefined {
  const written = Object.entries(given ?? {})
  if (written.length > maxItemHeaders) return written.flatMap(([name]) => [name, ''])
  if (written.some(([name, value]) => !isToken(name) || control.test(value))) return undefined
  // Names are case-insensitive; the last value wins.
  const values = new Map(written.map(([name, value]) => [name.toLowerCase(), fieldValueOf(value.trim())]))
  const names = [...values.keys()].filter((name) => !gatewayHeaders.has(name)).sort()
  return names.flatMap((name) => [name, values.get(name) ?? ''])
}
