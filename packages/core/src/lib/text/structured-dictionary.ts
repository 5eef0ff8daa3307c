/** Dictionaries of Structured Fields (RFC 9651 section 3.2), as header fields contain them. */

/** Integers, booleans, and the text of strings and tokens. `undefined`: a value of another type. */
export type DictionaryValue = number | boolean | string | undefined

const key = '[a-z*][a-z0-9_.*-]*'
/** Strings, tokens, booleans, numbers, byte sequences, dates and display strings, in this order. */
const bareItem = [
  String.raw`"(?:[\x20!#-\[\]-~]|\\["\\])*"`,
  String.raw`[A-Za-z*][\w!#$%&'*+.^${'`'}|~:/-]*`,
  String.raw`\?[01]`,
  String.raw`-?(?:\d{1,12}\.\d{1,3}|\d{1,15})(?![\d.])`,
  ':[A-Za-z0-9+/=]*:',
  String.raw`@-?\d{1,15}(?![\d.])`,
  String.raw`%"(?:[\x20!#$&-~]|%[0-9a-f]{2})*"`,
].join('|')
const parameters = `(?:; *${key}(?:=(?:${bareItem}))?)*`
const item = `(?:${bareItem})${parameters}`
const innerList = `\\( *(?:${item}(?: +${item})* *)?\\)`
const member = new RegExp(`(${key})(?:=(?:(${bareItem})|${innerList}))?${parameters}`, 'y')
const separator = /[ \t]*,[ \t]*/y

/** Parses a field value; `undefined` if it is invalid. Parameters are ignored; of repeated members the last one counts. */
export function parseDictionary(field: string): ReadonlyMap<string, DictionaryValue> | undefined {
  const text = field.trim()
  const members = new Map<string, DictionaryValue>()
  if (text === '') return members
  for (let at = 0; ; at = separator.lastIndex) {
    member.lastIndex = at
    const [whole, name, value] = member.exec(text) ?? []
    if (whole === undefined || name === undefined) return undefined
    members.set(name, whole.charAt(name.length) === '=' ? toValue(value) : true)
    if (member.lastIndex === text.length) return members
    separator.lastIndex = member.lastIndex
    if (!separator.test(text)) return undefined
  }
}

/** `undefined` as input: an inner list. */
function toValue(item: string | undefined): DictionaryValue {
  if (item === undefined) return undefined
  if (item.startsWith('"')) return item.slice(1, -1).replaceAll(/\\(.)/g, '$1')
  if (item.startsWith('?')) return item === '?1'
  if (/^[A-Za-z*]/.test(item)) return item
  return /^-?\d+$/.test(item) ? Number(item) : undefined
}
