/**
 * Finds the rules of a long list that can match a path, without testing each pattern. The index only skips rules: the
 * caller tests the patterns of the candidates, in the order of the list, so precedence does not depend on the index.
 *
 * A rule's pattern matches from any slash of a path on. The index is a tree of the segments that the rules name. From each
 * slash of a path, a search follows the segments of the path down the tree. Where a rule stops being plain text and
 * parameters, at the latest in its last segment, only the text up to there is compared.
 */

export interface IndexableRule {
  /** The path of the rule, such as `/pets/{id}`. */
  readonly path: string
  readonly ignoreCase: boolean
}

interface Node {
  readonly children: Map<string, Node>
  /** After a segment with any text. */
  any: Node | undefined
  /** Places of the rules that end in this segment, whatever its text. */
  readonly open: number[]
  /** The other rules that end in this segment, by the first character of their end. */
  readonly ends: Map<string, Ends>
}

interface Ends {
  /** Places of the rules, by the text with which the segment must begin. */
  readonly byText: Map<string, number[]>
  /** The lengths of these texts, ascending. */
  lengths: readonly number[]
}

/** `undefined` in place of a rule's text: every path is a candidate. */
type ParsedRule = { readonly segments: readonly (string | typeof anyText)[]; readonly end: string } | undefined

const anyText = Symbol('any text')

export class PathRuleIndex {
  readonly #root = makeNode()
  /** Places of the rules that are candidates for every path. */
  readonly #always: number[] = []
  readonly #foldsCase: boolean

  constructor(rules: readonly IndexableRule[]) {
    this.#foldsCase = rules.some(({ ignoreCase }) => ignoreCase)
    for (const [place, rule] of rules.entries()) {
      const parsed = parseRule(this.#foldsCase ? foldCase(rule.path) : rule.path, this.#foldsCase)
      if (parsed === undefined) this.#always.push(place)
      else this.#add(parsed, place)
    }
  }

  #add({ segments, end }: NonNullable<ParsedRule>, place: number): void {
    let node = this.#root
    for (const segment of segments) {
      if (segment === anyText) {
        node.any ??= makeNode()
        node = node.any
        continue
      }
      const child = node.children.get(segment) ?? makeNode()
      node.children.set(segment, child)
      node = child
    }
    if (end === '') {
      node.open.push(place)
      return
    }
    const ends = node.ends.get(end.charAt(0)) ?? { byText: new Map<string, number[]>(), lengths: [] }
    node.ends.set(end.charAt(0), ends)
    const places = ends.byText.get(end) ?? []
    places.push(place)
    ends.byText.set(end, places)
    ends.lengths = [...new Set([...ends.lengths, end.length])].sort((a, b) => a - b)
  }

  /** Returns the first place of a rule that can match one of the paths and that `matches` accepts. */
  find(paths: readonly string[], matches: (place: number) => boolean): number | undefined {
    const candidates = [...this.#always]
    for (const path of paths) {
      const segments = (this.#foldsCase ? foldCase(path) : path).split('/')
      // A path without a slash at its start has no segment before its first slash.
      for (let start = 1; start < segments.length; start++) collect(this.#root, segments, start, candidates)
    }
    if (candidates.length === 0) return undefined
    // Nearly always the first candidate matches, so the others are not sorted before it is tried.
    const first = candidates.reduce((least, place) => Math.min(least, place))
    if (matches(first)) return first
    return candidates.sort((a, b) => a - b).find((place) => place !== first && matches(place))
  }
}

function makeNode(): Node {
  return { children: new Map(), any: undefined, open: [], ends: new Map() }
}

function collect(node: Node, segments: readonly string[], at: number, found: number[]): void {
  const segment = segments[at]
  if (segment === undefined) return
  for (const place of node.open) found.push(place)
  const ends = node.ends.get(segment.charAt(0))
  for (const length of ends?.lengths ?? []) {
    if (length > segment.length) break
    for (const place of ends?.byText.get(segment.slice(0, length)) ?? []) found.push(place)
  }
  const child = node.children.get(segment)
  if (child !== undefined) collect(child, segments, at + 1, found)
  if (node.any !== undefined && segment !== '') collect(node.any, segments, at + 1, found)
}

/** Characters that have a meaning in patterns. */
const special = /[\\^$.|?*+()[\]{}]/
const parameter = /^\{[A-Za-z_][\w.-]*\}$/

/** Reads the part of a rule that is plain text and parameters. */
function parseRule(path: string, isFolded: boolean): ParsedRule {
  const text = path.startsWith('^') ? path.slice(1) : path
  // With alternatives, no part of the pattern has to match.
  if (!text.startsWith('/') || text.includes('|')) return undefined
  const segments: (string | typeof anyText)[] = []
  const given = text.slice(1).split('/')
  for (const [i, segment] of given.entries()) {
    const isLast = i === given.length - 1
    const isAny = parameter.test(segment) || (segment === '*' && !isLast)
    const end = isAny ? '' : plainStart(segment, isFolded)
    if (isLast || (!isAny && end !== segment)) return { segments, end: withoutQuantified(segment, end) }
    segments.push(isAny ? anyText : segment)
  }
  return undefined
}

function plainStart(segment: string, isFolded: boolean): string {
  const place = segment.search(isFolded ? /[^\w~!@%&=:;,"'<> -]/ : special)
  return place === -1 ? segment : segment.slice(0, place)
}

/** The character before a quantifier need not occur. */
function withoutQuantified(segment: string, end: string): string {
  return /^[?*{]/.test(segment.slice(end.length)) ? end.slice(0, -1) : end
}

/** Letters that patterns without case consider equal become equal: `K` (U+212A) is a `k`, `ſ` (U+017F) is an `s`. */
function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase()
}
