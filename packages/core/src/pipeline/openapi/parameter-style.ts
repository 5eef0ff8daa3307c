/**
 * Splits parameters into items and members by their `style` and `explode` (OpenAPI 3.0.4, 4.7.12.3). A parameter has
 * several written forms if its schema allows several kinds of values: a single value, a list, an object.
 */
import { valueFactsOf } from '../../definition/openapi/value-facts.ts'
import type { FormFields } from '../../lib/form.ts'
import { type Json, textOf } from '../../lib/json.ts'
import type { Written, WrittenMembers } from './read-value.ts'

/** Reads the values of a request. */
export interface ParameterSource {
  path(name: string): string | undefined
  query(name: string): readonly string[]
  /** All fields of the query. */
  fields(): FormFields
  header(name: string): string | undefined
  cookie(name: string): string | undefined
}

/**
 * The forms of a value: it is valid if one of them is. A problem says that the text does not have the style. The outer
 * list has an entry for each time the parameter occurs where only one is expected.
 */
export type WrittenForms = readonly Written[] | { readonly problem: string }
type ReadForms = (source: ParameterSource) => readonly WrittenForms[]

interface Style {
  readonly name: string
  readonly style: string
  readonly explode: boolean
  readonly place: string
}

const defaultStyles: Readonly<Record<string, string>> = { query: 'form', cookie: 'form' }

/** Compiles the reader of a parameter with a schema. The reader returns an empty list if the parameter is missing. */
export function compileStyle(parameter: Json, schema: unknown, document: Json): ReadForms {
  const place = textOf(parameter['in'])
  const style = textOf(parameter['style']) || (defaultStyles[place] ?? 'simple')
  const explode = typeof parameter['explode'] === 'boolean' ? parameter['explode'] : style === 'form'
  const own: Style = { name: textOf(parameter['name']), style, explode, place }
  const { types, properties } = valueFactsOf(document, schema)
  const [isObject, isList] = [types.includes('object'), types.includes('array')]
  const isScalar = types.length === 0 || types.some((type) => type !== 'object' && type !== 'array' && type !== 'null')
  if (isObject && style === 'deepObject') {
    return (source) => presentForm(deepMembers(own.name, source.fields()))
  }
  const names = [...properties.keys()]
  const membersAreFields = isObject && place === 'query' && style === 'form' && explode
  return (source) => {
    const texts = textsOf(own, source)
    const members = membersAreFields ? fieldMembers(names, source.fields()) : undefined
    if (members !== undefined) return [[members]]
    if (texts.length === 0) return []
    if (isList && isRepeated(own)) return [isScalar && texts.length === 1 ? [texts, texts[0] as string] : [texts]]
    return texts.map((text) => formsOf(text, own, { isList, isScalar, isObject: isObject && !membersAreFields }))
  }
}

function presentForm(members: WrittenMembers | string | undefined): readonly WrittenForms[] {
  if (members === undefined) return []
  return typeof members === 'string' ? [{ problem: members }] : [[members]]
}

function isRepeated({ place, style, explode }: Style): boolean {
  return place === 'query' && explode && style !== 'deepObject'
}

/** The texts of a parameter, whatever its style. */
export function textsOf({ name, place }: Pick<Style, 'name' | 'place'>, source: ParameterSource): readonly string[] {
  const one = (text: string | undefined) => (text === undefined ? [] : [text])
  switch (place) {
    case 'path':
      return one(source.path(name))
    case 'query':
      return source.query(name)
    case 'header':
      return one(source.header(name.toLowerCase()))
    default:
      return one(source.cookie(name))
  }
}

interface Kinds {
  readonly isList: boolean
  readonly isScalar: boolean
  readonly isObject: boolean
}

function formsOf(given: string, own: Style, { isList, isScalar, isObject }: Kinds): WrittenForms {
  const text = withoutPrefix(given, own)
  if (text === undefined) return { problem: `value ${given}: must begin with ${prefixOf(own)}` }
  const forms: Written[] = []
  if (isList) forms.push(itemsIn(text, own))
  const members = isObject ? membersIn(text, own) : undefined
  if (members !== undefined) forms.push(members)
  if (isScalar || forms.length === 0) forms.push(text)
  return forms
}

function prefixOf({ name, style, explode }: Style): string {
  if (style === 'label') return '.'
  return style === 'matrix' ? (explode ? ';' : `;${name}=`) : ''
}

function withoutPrefix(text: string, own: Style): string | undefined {
  const prefix = prefixOf(own)
  return text.startsWith(prefix) ? text.slice(prefix.length) : undefined
}

/** What separates items and members. */
function separatorOf({ style, explode }: Style): string {
  switch (style) {
    case 'spaceDelimited':
      return ' '
    case 'pipeDelimited':
      return '|'
    case 'label':
      return explode ? '.' : ','
    case 'matrix':
      return explode ? ';' : ','
    default:
      return ','
  }
}

function split(text: string, own: Style): readonly string[] {
  const parts = text.split(separatorOf(own))
  return own.place === 'header' ? parts.map((part) => part.trim()) : parts
}

function itemsIn(text: string, own: Style): readonly string[] {
  const items = split(text, own)
  return own.style === 'matrix' && own.explode ? items.map((item) => item.slice(item.indexOf('=') + 1)) : items
}

/** `a,1,b,2` or `a=1,b=2`; `undefined`: the text is neither. */
function membersIn(text: string, own: Style): WrittenMembers | undefined {
  const parts = split(text, own)
  const pairs = own.explode ? parts.map(pairIn) : evenPairs(parts)
  const members = new Map<string, Written>()
  for (const pair of pairs) {
    // Of two members with one name the upstream could read the other one.
    if (pair === undefined || members.has(pair[0])) return undefined
    members.set(pair[0], pair[1])
  }
  return members
}

function pairIn(part: string): readonly [string, string] | undefined {
  const equals = part.indexOf('=')
  return equals === -1 ? undefined : [part.slice(0, equals), part.slice(equals + 1)]
}

function evenPairs(parts: readonly string[]): readonly (readonly [string, string] | undefined)[] {
  const names = parts.filter((_, i) => i % 2 === 0)
  return names.map((name, i) => {
    const value = parts[2 * i + 1]
    return value === undefined ? undefined : [name, value]
  })
}

/** Members that are fields of the query. */
function fieldMembers(names: readonly string[], fields: FormFields): WrittenMembers | undefined {
  const members = new Map<string, Written>()
  for (const name of names) {
    const texts = fields.get(name)
    if (texts !== undefined) members.set(name, texts.length > 1 ? texts : (texts[0] as string))
  }
  return members.size === 0 ? undefined : members
}

/** Maximum number of brackets after a name. */
const maxBrackets = 20

/** `name[a][b]=1`; a text says why the notation is invalid. `undefined`: there are no such fields. */
function deepMembers(name: string, fields: FormFields): WrittenMembers | string | undefined {
  const members = new Map<string, Written>()
  for (const [field, texts] of fields) {
    if (!field.startsWith(`${name}[`)) continue
    const path = field.slice(name.length).match(/\[[^\][]*\]/g) ?? []
    const names = path.map((part) => part.slice(1, -1))
    if (path.join('').length !== field.length - name.length || names.length > maxBrackets)
      return `${field}: invalid path`
    // `a[]=1&a[]=2` is a list, as `a=1&a=2` is.
    const isMarked = names.at(-1) === '' && names.length > 1
    if (isMarked) names.pop()
    const value = isMarked || texts.length > 1 ? texts : texts[0]
    if (!put(members, names, value as Written)) return `${field}: occurs in two forms`
  }
  return members.size === 0 ? undefined : members
}

function put(members: Map<string, Written>, names: readonly string[], value: Written): boolean {
  let at = members
  for (const name of names.slice(0, -1)) {
    const next = at.get(name) ?? new Map<string, Written>()
    if (!(next instanceof Map)) return false
    at.set(name, next)
    at = next
  }
  const last = names.at(-1) as string
  if (at.has(last)) return false
  at.set(last, value)
  return true
}
