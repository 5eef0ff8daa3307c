/**
 * Converts YAML 1.2 to JSON text. Each value is on the same line of the JSON text as in the YAML text, and near the same
 * column, so that the position of a finding in the JSON text is also its position in the YAML file. Merge keys (`<<`) are
 * applied, as readers of YAML 1.1 do.
 */
import { parseEvents, YAMLException } from 'js-yaml'
import { type Location, locationAt } from '../shape/locate-json.ts'
import { buildTrees, type Member, startOf, type YamlNode, YamlProblem } from './node-tree.ts'
import { scalarToJson } from './scalar-to-json.ts'

export type YamlAsJson =
  | { readonly documents: readonly string[]; readonly problem?: undefined }
  | { readonly documents?: undefined; readonly problem: Location & { readonly message: string } }

/** Maximum nesting of lists and maps. */
const maxDepth = 200
/** Maximum numbers of values and of characters that aliases and merge keys add. The text itself is limited by its length. */
const maxAliasValues = 500_000
const maxAliasCharacters = 16 * 1024 * 1024

/** OpenAPI defines these members as texts; unquoted they look like numbers. */
const textMembers = new Set(['openapi', 'swagger', 'info.version', 'info.title'])

/** Returns the JSON text of each document of a YAML text, or the first problem with its position. Never throws. */
export function yamlToJson(text: string): YamlAsJson {
  try {
    const trees = buildTrees(text, parseEvents(text, { maxDepth }))
    const budget = { values: maxAliasValues, characters: maxAliasCharacters }
    return { documents: trees.map((tree) => new JsonWriter(text, budget).write(tree)) }
  } catch (error) {
    if (error instanceof YamlProblem) return problemAt(text, error.message, error.offset)
    if (error instanceof YAMLException) return problemAt(text, error.reason, error.mark?.position ?? 0)
    // Deep nesting by aliases overflows the stack.
    return problemAt(text, error instanceof RangeError ? 'is nested too deep' : String(error), 0)
  }
}

function problemAt(text: string, message: string, offset: number): YamlAsJson {
  return { problem: { message, ...locationAt(text, Math.max(0, offset)) } }
}

/** What aliases may still add. */
interface Budget {
  values: number
  characters: number
}

class JsonWriter {
  readonly #text: string
  readonly #budget: Budget
  readonly #parts: string[] = []
  /** Column of the output, from 0. */
  #column = 0
  /** Start of the line of the YAML text that the output has reached. */
  #lineStart = 0
  #nextLine: number
  /** Above 0 inside of an alias: the values are written at the position of the alias. */
  #aliases = 0

  constructor(text: string, budget: Budget) {
    this.#text = text
    this.#budget = budget
    this.#nextLine = text.indexOf('\n')
  }

  write(tree: YamlNode): string {
    this.#node(tree, '')
    return this.#parts.join('')
  }

  /** `path`: names of the first two levels, joined by a point; `undefined` below. */
  #node(node: YamlNode, path: string | undefined): void {
    if (this.#aliases > 0) this.#count(1)
    this.#moveTo(startOf(node))
    if (node.kind === 'scalar') {
      this.#put(scalarToJson(this.#text, node.event, path !== undefined && textMembers.has(path)))
    } else if (node.kind === 'alias') {
      this.#aliases++
      this.#node(node.named, path)
      this.#aliases--
    } else if (node.kind === 'list') this.#list(node.items)
    else this.#map(node.members, path)
  }

  #list(items: readonly YamlNode[]): void {
    this.#put('[')
    for (const [i, item] of items.entries()) {
      if (i > 0) this.#put(',')
      this.#node(item, undefined)
    }
    this.#put(']')
  }

  #map(members: readonly Member[], path: string | undefined): void {
    this.#put('{')
    const own = members.filter(({ name }) => name !== '<<')
    for (const [i, { key, name, value }] of own.entries()) {
      if (i > 0) this.#put(',')
      this.#moveTo(startOf(key))
      this.#put(`${JSON.stringify(name)}:`)
      this.#node(value, path === undefined || path.includes('.') ? undefined : path === '' ? name : `${path}.${name}`)
    }
    if (own.length < members.length) this.#merge(members, own)
    this.#put('}')
  }

  /** Adds the members of merged maps that the map does not have itself. The first merged map wins. */
  #merge(members: readonly Member[], own: readonly Member[]): void {
    const seen = new Set(own.map(({ name }) => name))
    this.#aliases++
    for (const { key, value } of members.filter(({ name }) => name === '<<')) {
      for (const source of value.kind === 'list' ? value.items : [value]) {
        for (const { name, value: merged } of this.#mergedMembers(source, startOf(key))) {
          if (seen.has(name)) continue
          this.#put(`${seen.size === 0 ? '' : ','}${JSON.stringify(name)}:`)
          seen.add(name)
          this.#node(merged, undefined)
        }
      }
    }
    this.#aliases--
  }

  /** Adds line breaks and spaces until the output is at the position of the offset, or behind it. */
  #moveTo(offset: number): void {
    if (this.#aliases > 0 || offset < 0) return
    while (this.#nextLine !== -1 && this.#nextLine < offset) {
      this.#parts.push('\n')
      this.#column = 0
      this.#lineStart = this.#nextLine + 1
      this.#nextLine = this.#text.indexOf('\n', this.#lineStart)
    }
    const missing = offset - this.#lineStart - this.#column
    if (missing <= 0) return
    this.#parts.push(' '.repeat(missing))
    this.#column += missing
  }

  #put(json: string): void {
    this.#parts.push(json)
    this.#column += json.length
    if (this.#aliases === 0) return
    this.#budget.characters -= json.length
    if (this.#budget.characters < 0) throw new YamlProblem('has aliases that make it too long', this.#lineStart)
  }

  /** All members of a merged map, with those that it merges itself. */
  #mergedMembers(node: YamlNode, at: number): readonly Member[] {
    const map = node.kind === 'alias' ? node.named : node
    if (map.kind === 'alias') return this.#mergedMembers(map, at)
    if (map.kind !== 'map') throw new YamlProblem('merges (<<) a value that is not a map', at)
    this.#count(map.members.length + 1)
    return map.members.flatMap((member) => {
      if (member.name !== '<<') return [member]
      const sources = member.value.kind === 'list' ? member.value.items : [member.value]
      return sources.flatMap((source) => this.#mergedMembers(source, at))
    })
  }

  #count(values: number): void {
    this.#budget.values -= values
    if (this.#budget.values < 0)
      throw new YamlProblem(`has aliases that add more than ${maxAliasValues} values`, this.#lineStart)
  }
}
