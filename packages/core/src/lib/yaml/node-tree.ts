/** Builds a tree of nodes from the events of the YAML parser. Aliases become references to the nodes that they name. */
import {
  type AliasEvent,
  type Event,
  getScalarValue,
  type MappingEvent,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml'

export interface ScalarNode {
  readonly kind: 'scalar'
  readonly event: ScalarEvent
}

export type YamlNode =
  | ScalarNode
  | { readonly kind: 'list'; readonly start: number; readonly items: readonly YamlNode[] }
  | { readonly kind: 'map'; readonly start: number; readonly members: readonly Member[] }
  /** `start`: where the alias is written. */
  | { readonly kind: 'alias'; readonly start: number; readonly named: YamlNode }

export interface Member {
  readonly key: ScalarNode
  readonly name: string
  readonly value: YamlNode
}

/** An error at an offset of the text. */
export class YamlProblem extends Error {
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** Types of events, which are numbers in the parser. */
const documentType = 1
const listType = 2
const mapType = 3
const scalarType = 4
const aliasType = 5
const popType = 6

/** Builds the tree of each document. Throws `YamlProblem`. */
export function buildTrees(text: string, events: readonly Event[]): YamlNode[] {
  return new TreeBuilder(text, events).documents()
}

class TreeBuilder {
  readonly #text: string
  readonly #events: readonly Event[]
  #at = 0
  #anchors = new Map<string, YamlNode>()

  constructor(text: string, events: readonly Event[]) {
    this.#text = text
    this.#events = events
  }

  documents(): YamlNode[] {
    const trees: YamlNode[] = []
    while (this.#at < this.#events.length) {
      const event = this.#events[this.#at++]
      if (event?.type !== documentType) continue
      this.#anchors = new Map()
      if (this.#isPop()) continue
      trees.push(this.#node())
    }
    return trees
  }

  #isPop(): boolean {
    return this.#events[this.#at]?.type === popType
  }

  #node(): YamlNode {
    const event = this.#events[this.#at++]
    if (event?.type === scalarType) return this.#named(event, { kind: 'scalar', event })
    if (event?.type === listType) return this.#named(event, { kind: 'list', start: event.start, items: this.#items() })
    if (event?.type === mapType)
      return this.#named(event, { kind: 'map', start: event.start, members: this.#members() })
    if (event?.type === aliasType) return this.#alias(event)
    throw new YamlProblem('ends too early', this.#text.length)
  }

  #items(): YamlNode[] {
    const items: YamlNode[] = []
    while (!this.#isPop()) items.push(this.#node())
    this.#at++
    return items
  }

  #members(): Member[] {
    const members: Member[] = []
    const seen = new Set<string>()
    while (!this.#isPop()) {
      const node = this.#node()
      const key = node.kind === 'alias' ? node.named : node
      if (key.kind !== 'scalar') throw new YamlProblem('has a name that is a list or a map', startOf(key))
      const name = getScalarValue(this.#text, key.event)
      if (seen.has(name) && name !== '<<') throw new YamlProblem(`has the member "${name}" twice`, startOf(node))
      seen.add(name)
      members.push({ key, name, value: this.#node() })
    }
    this.#at++
    return members
  }

  /** A node is registered when it is complete, so that no node can contain itself. */
  #named<T extends YamlNode>({ anchorStart, anchorEnd }: ScalarEvent | SequenceEvent | MappingEvent, node: T): T {
    if (anchorStart >= 0) this.#anchors.set(this.#text.slice(anchorStart, anchorEnd), node)
    return node
  }

  #alias({ anchorStart, anchorEnd }: AliasEvent): YamlNode {
    const name = this.#text.slice(anchorStart, anchorEnd)
    const named = this.#anchors.get(name)
    if (named === undefined) throw new YamlProblem(`names the anchor "${name}", which does not exist`, anchorStart)
    return { kind: 'alias', start: anchorStart - 1, named }
  }
}

/** Offset of a node; -1 for an empty scalar. */
export function startOf(node: YamlNode): number {
  return node.kind === 'scalar' ? node.event.valueStart : node.start
}
