import { type HeaderPairs, utf8Bytes } from '@turnpike/core'
/** Headers of an item: the item's own and nothing else, as a client's would come in. */

/** Most header lines of an item, as the front ends have it; whoever sends more is refused before they are looked at. */
export const maxItemHeaders = 99

const token = /^[\w!#$%&'*+\-.^`|~]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\0-\x08\x0a-\x1f\x7f]/
/** Goes as it is: ASCII that needs no trimming. */
const plain = /^[!-~](?:[\t -~]*[!-~])?$/

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

/**
 * Pairs with lower-case names, sorted as recorded; `undefined` when a name or value cannot stand in a request. Not to
 * be changed.
 */
export function toItemHeaders(given: Readonly<Record<string, string>> | null): HeaderPairs | undefined {
  if (given === null) return none
  const names = Object.keys(given)
  if (names.length > maxItemHeaders) return names.flatMap((name) => [name, ''])
  const pairs: HeaderPairs = []
  for (const written of names) {
    const name = sentName(written)
    const value = sentValue(given[written] as string)
    if (name === undefined || value === undefined) return undefined
    if (!notTheItems.has(name)) insert(pairs, name, value)
  }
  return pairs
}

/** Reads the headers of the items of one call. Most items have the headers of the item before them, told once more. */
export class ItemHeadersReader {
  private names: readonly string[] = []
  private given: Readonly<Record<string, string>> | null = null
  private pairs: HeaderPairs | undefined = none

  /** As `toItemHeaders`. */
  read(given: Readonly<Record<string, string>> | null): HeaderPairs | undefined {
    if (given === null) return none
    const names = Object.keys(given)
    if (this.given === null || !this.isAsBefore(names, given, this.given)) {
      this.names = names
      this.given = given
      this.pairs = toItemHeaders(given)
    }
    return this.pairs
  }

  private isAsBefore(
    names: readonly string[],
    given: Readonly<Record<string, string>>,
    before: Readonly<Record<string, string>>,
  ): boolean {
    if (names.length !== this.names.length) return false
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string
      if (name !== this.names[i] || given[name] !== before[name]) return false
    }
    return true
  }
}

/** Keeps the names sorted. Names that differ in case only are one; the last one wins. */
function insert(pairs: HeaderPairs, name: string, value: string): void {
  let at = pairs.length
  while (at > 0 && (pairs[at - 2] as string) > name) at -= 2
  if (pairs[at - 2] === name) pairs[at - 1] = value
  else if (at === pairs.length) pairs.push(name, value)
  else pairs.splice(at, 0, name, value)
}

const knownNames = new Map<string, string>()
/** Clients decide on names, so only so many and no long ones are remembered. */
const mostNames = 1000
const longName = 64

function sentName(written: string): string | undefined {
  const known = knownNames.get(written)
  if (known !== undefined) return known
  if (!token.test(written)) return undefined
  const name = written.toLowerCase()
  if (knownNames.size < mostNames && name.length <= longName) knownNames.set(written, name)
  return name
}

/** Every character of a header stands for one byte inside the gateway; text beyond ASCII goes as UTF-8. */
function sentValue(value: string): string | undefined {
  if (plain.test(value)) return value
  if (control.test(value)) return undefined
  let text = ''
  for (const byte of utf8Bytes(value.trim())) text += String.fromCharCode(byte)
  return text
}
