/** Headers of an item: its own and nothing else, as if a client had sent them. */
import type { HeaderPairs } from '@turnpike/core'

/** Most header lines of an item, as the front ends have it; whoever sends more is refused before they are looked at. */
export const maxItemHeaders = 99

const token = /^[\w!#$%&'*+\-.^`|~]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\0-\x08\x0a-\x1f\x7f]/

/**
 * What frames a message or names its host is the gateway's matter: a length of the item's own would tell a second story
 * about its body. An item is no connection that could be upgraded.
 */
const notTheItems: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'trailer',
  'upgrade',
  'expect',
])

/** Pairs with lower-case names, sorted as recorded; `undefined` when a name or value cannot be sent in a request. */
export function toItemHeaders(given: Readonly<Record<string, string>> | null): HeaderPairs | undefined {
  const written = Object.entries(given ?? {})
  if (written.length > maxItemHeaders) return written.flatMap(([name]) => [name, ''])
  if (written.some(([name, value]) => !token.test(name) || control.test(value))) return undefined
  // Names that differ in case only are one; the last one wins.
  const values = new Map(written.map(([name, value]) => [name.toLowerCase(), byteText(value.trim())]))
  const names = [...values.keys()].filter((name) => !notTheItems.has(name)).sort()
  return names.flatMap((name) => [name, values.get(name) ?? ''])
}

/** Every character of a header stands for one byte inside the gateway; text beyond ASCII goes as UTF-8. */
function byteText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}
