/**
 * Makes one document of an OpenAPI document in several files. References to files in the folder of the document are
 * followed; their targets become components, or path items. Others are returned with their places.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { decodePercent, isJson, type Json, objectOf, textOf } from '@turnpike/core/lib'
import { maxFileBytes } from './read-files.ts'
import { valuesOfText } from './values-of-text.ts'

export interface UnreadReference {
  /** Path of the reference, such as `paths./pets.get`. */
  readonly place: string
  readonly reference: string
  readonly reason: string
}

export interface BundledDocument {
  readonly document: Json
  readonly unread: readonly UnreadReference[]
  readonly problem?: undefined
}

const maxFiles = 1000
const maxDepth = 200
/** Values of the bundled document. What is written in place can refer to itself, and doubles with each level. */
const maxValues = 1_000_000

/** `file`: absolute path of the document; `undefined`: it is not a file, so no reference is followed. */
export function bundleDocument(document: Json, file: string | undefined): BundledDocument {
  if (!hasExternalReference(document)) return { document, unread: [] }
  return new Bundler(document, file).bundle()
}

function hasExternalReference(document: Json): boolean {
  const open: unknown[] = [document]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if (isJson(value) && isExternal(textOf(value['$ref']))) return true
    for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) open.push(member)
  }
  return false
}

const isExternal = (reference: string): boolean => reference !== '' && !reference.startsWith('#')

/** Where a value is: the file that contains it, and the names of the members above it. */
interface Place {
  readonly file: string
  readonly names: readonly string[]
}

class Bundler {
  readonly #root: Json
  readonly #rootFile: string
  readonly #folder: string | undefined
  readonly #files = new Map<string, unknown>()
  readonly #unread: UnreadReference[] = []
  /** Places and references of `#unread`: one value can be written at a place twice. */
  readonly #left = new Set<string>()
  /** Components that were made, by file and pointer. */
  readonly #made = new Map<string, string>()
  readonly #components: Record<string, Record<string, unknown>> = {}
  #values = 0

  constructor(root: Json, file: string | undefined) {
    this.#root = root
    this.#rootFile = file === undefined ? '' : realpathSync(file)
    this.#folder = file === undefined ? undefined : dirname(this.#rootFile)
    this.#files.set(this.#rootFile, root)
    for (const [section, members] of Object.entries(objectOf(root['components']))) {
      // A whole section can be a reference, whose members `bundle` adds.
      const { $ref: reference, ...own } = objectOf(members)
      this.#components[section] = typeof reference === 'string' ? own : { ...objectOf(members) }
    }
  }

  bundle(): BundledDocument {
    const document = objectOf(this.#value(this.#root, { file: this.#rootFile, names: [] }, 0))
    const own = objectOf(document['components'])
    const sections = Object.entries(this.#components).map(([section, members]) => [
      section,
      { ...members, ...objectOf(own[section]) },
    ])
    const components = { ...own, ...Object.fromEntries(sections) }
    return { document: { ...document, components }, unread: this.#unread }
  }

  #value(value: unknown, place: Place, depth: number): unknown {
    this.#values++
    if (depth > maxDepth) return value
    const below = (member: unknown, name: string) =>
      this.#value(member, { ...place, names: [...place.names, name] }, depth + 1)
    if (Array.isArray(value)) return value.map((entry, i) => below(entry, String(i)))
    if (!isJson(value)) return value
    const reference = textOf(value['$ref'])
    // A property of a schema can have the name "$ref"; then it is an object.
    if (reference !== '') return this.#reference(value, reference, place, depth)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, below(member, name)]))
  }

  #reference(value: Json, reference: string, place: Place, depth: number): unknown {
    const isOwn = !isExternal(reference)
    if (isOwn && place.file === this.#rootFile) return value
    if (this.#values > maxValues)
      return this.#leave(value, reference, place, `the document has more than ${maxValues} values already`)
    const [path = '', pointer = ''] = isOwn ? [place.file, reference.slice(1)] : reference.split('#', 2)
    const found = isOwn ? place.file : this.#fileOf(path, place)
    if (typeof found !== 'string') return this.#leave(value, reference, place, found.problem)
    if (found === this.#rootFile) return { ...value, $ref: `#${pointer}` }
    const target = valueAt(this.#files.get(found), pointer)
    if (target === undefined)
      return this.#leave(value, reference, place, `${relativeName(found, this.#folder)} has no ${pointer}`)
    const names = pointer.split('/').filter((name) => name !== '')
    const section = sectionOf(place.names)
    if (section === undefined) return this.#value(target, { file: found, names: place.names }, depth + 1)
    return { $ref: this.#component(section, `${found}#${pointer}`, names.at(-1), target, found, depth) }
  }

  /** Returns the reference to a component with the value of a file. */
  #component(
    section: string,
    key: string,
    given: string | undefined,
    target: unknown,
    file: string,
    depth: number,
  ): string {
    const known = this.#made.get(`${section} ${key}`)
    if (known !== undefined) return known
    this.#components[section] ??= {}
    const members = this.#components[section]
    const base = (given ?? fileStem(file)).replace(/[^\w.-]/g, '_')
    let name = base
    for (let i = 2; Object.hasOwn(members, name); i++) name = `${base}${i}`
    const reference = `#/components/${section}/${name}`
    // Registered first, because the value can refer to itself.
    this.#made.set(`${section} ${key}`, reference)
    members[name] = {}
    members[name] = this.#value(target, { file, names: ['components', section, name] }, depth + 1)
    return reference
  }

  #fileOf(path: string, { file }: Place): string | { readonly problem: string } {
    if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return { problem: 'URLs are not read' }
    if (this.#folder === undefined) return { problem: 'the document is not a file, so other documents are not read' }
    const wanted = resolve(dirname(file), decodePercent(path))
    try {
      const found = realpathSync(wanted)
      if (relative(this.#folder, found).startsWith('..')) return { problem: 'is outside of the folder of the document' }
      if (this.#files.has(found)) return found
      if (this.#files.size >= maxFiles) return { problem: `more than ${maxFiles} files are not read` }
      if (statSync(found).size > maxFileBytes) return { problem: `is longer than ${maxFileBytes} bytes` }
      const read = valuesOfText(readFileSync(found, 'utf8'), found)
      if (read.problem !== undefined) return { problem: `cannot be read: ${read.problem}` }
      this.#files.set(found, read.values[0])
      return found
    } catch {
      return { problem: 'does not exist' }
    }
  }

  #leave(value: Json, reference: string, { names }: Place, reason: string): Json {
    const place = names.join('.')
    const key = `${place} ${reference}`
    if (!this.#left.has(key)) this.#unread.push({ place, reference, reason })
    this.#left.add(key)
    return value
  }
}

function relativeName(file: string, folder: string | undefined): string {
  return folder === undefined ? file : relative(folder, file)
}

function fileStem(file: string): string {
  return (file.split('/').at(-1) ?? file).replace(/\.[^.]*$/, '')
}

function valueAt(value: unknown, pointer: string): unknown {
  let at = value
  for (const step of pointer.split('/').slice(1)) {
    const name = decodePercent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Readonly<Record<string, unknown>>)[name]
  }
  return at
}

const schemaMembers: ReadonlySet<string> = new Set([
  'schema',
  'items',
  'additionalProperties',
  'not',
  'contains',
  'if',
  'then',
  'else',
])
const schemaParents: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'schemas',
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
])
/** Members whose entries are components of the section of the same name. */
const sections: ReadonlySet<string> = new Set([
  'parameters',
  'responses',
  'headers',
  'examples',
  'links',
  'callbacks',
  'securitySchemes',
  'requestBodies',
])

/** The section of components for a value at a path; `undefined`: the value is written in place, such as a path item. */
function sectionOf(names: readonly string[]): string | undefined {
  const [parent = '', name = ''] = names.slice(-2)
  // Components that are references themselves get the value.
  if (names.length === 3 && names[0] === 'components') return undefined
  if (schemaParents.has(parent)) return 'schemas'
  if (sections.has(parent)) return parent
  if (name === 'requestBody') return 'requestBodies'
  return schemaMembers.has(name) ? 'schemas' : undefined
}
