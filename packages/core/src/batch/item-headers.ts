/** Headers of an item: the item's own and nothing else, as a client's would come in. */
import type { HeaderPairs } from '../http.ts'
import { utf8Bytes } from '../text/text-codec.ts'

const token = /^[\w!#$%&'*+\-.^`|~]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\0-\x08\x0a-\x1f\x7f]/
const wide = /[^\0-\x7f]/

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

const none: HeaderPairs = []

/** Pairs with lower-case names, sorted as recorded; `undefined` when a name or value cannot stand in a request. Not to be changed. */
export function toItemHeaders(given: Readonly<Record<string, string>> | null): HeaderPairs | undefined {
  if (given === null) return none
  const names = Object.keys(given)
  if (names.length === 0) return none
  const byName = new Map<string, string>()
  for (const written of names) {
    const value = given[written] as string
    if (!token.test(written) || control.test(value)) return undefined
    const name = written.toLowerCase()
    // Names that differ in case only are one; the last one wins.
    if (!notTheItems.has(name)) byName.set(name, toBytesAsText(value.trim()))
  }
  return [...byName.keys()].sort().flatMap((name) => [name, byName.get(name) as string])
}

/** Every character of a header stands for one byte inside the gateway; text beyond ASCII goes as UTF-8. */
function toBytesAsText(value: string): string {
  if (!wide.test(value)) return value
  let text = ''
  for (const byte of utf8Bytes(value)) text += String.fromCharCode(byte)
  return text
}
