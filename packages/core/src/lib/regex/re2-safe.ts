/**
 * Shows, from the structure of an RE2 pattern alone, that RegExp means the same by it and how its work grows.
 *
 * What is accepted: characters, classes, dot, anchors, groups, alternatives, and quantifiers on single characters or
 * `?` on a group that cannot be empty. No quantifier stands within another, so backtracking is bounded by a product:
 * - a quantifier multiplies the work by the length of the input, unless what follows it cannot begin with a character
 *   that it takes: then every shorter try fails at once, and it only adds;
 * - alternatives and optional groups multiply it by a constant, the `factor`;
 * - a pattern that is not anchored at the start is tried at every place: once more the length.
 * `degree` counts those lengths. Whatever is not understood here is left to the linear engine.
 *
 * Where both engines give other meanings to the same sign (dot, `\s`, case folding of `\w`), the translation writes out
 * RE2's, and always sets the `u` flag, so that both count whole characters.
 */
import { CharSet } from './char-set.ts'
import { type Node, parseRe2 } from './re2-parse.ts'

export interface Translation {
  readonly regExp: RegExp
  /** Steps are at most `factor × length ^ degree`. */
  readonly degree: number
  readonly factor: number
}

const maxDegree = 3
const maxFactor = 64

/** The same pattern as RegExp; `undefined` when sameness or speed is not certain. */
export function translateRe2(pattern: string, ignoreCase: boolean): Translation | undefined {
  const parsed = parseRe2(pattern, ignoreCase)
  if (parsed === undefined) return undefined
  const { node } = parsed
  const cost = costOf(node, nothingFollows)
  const degree = Math.max(1, cost.degree + (startsAnchored(node) ? 0 : 1))
  if (degree > maxDegree || cost.factor > maxFactor) return undefined
  return { regExp: new RegExp(sourceOf(node), parsed.ignoreCase ? 'iu' : 'u'), degree, factor: cost.factor }
}

/** What can stand next: `undefined` means that it can succeed without reading, so that nothing is ruled out. */
type Follow = CharSet | undefined
/** After the whole pattern every try succeeds: no quantifier is asked for a second one. */
const nothingFollows = Symbol('end')
type Next = Follow | typeof nothingFollows

interface Cost {
  readonly degree: number
  readonly factor: number
}

function costOf(node: Node, next: Next): Cost {
  switch (node.kind) {
    case 'chars':
    case 'anchor':
      return { degree: 0, factor: 1 }
    case 'group':
      return costOf(node.body, next)
    case 'repeat': {
      if (node.body.kind !== 'chars') {
        const inner = costOf(node.body, next)
        return { degree: inner.degree, factor: inner.factor * 2 }
      }
      // At most one try of what follows can get further than its first character.
      const single = next === nothingFollows || (next !== undefined && !next.meets(node.body.set))
      if (node.max <= 1) return { degree: 0, factor: single ? 1 : 2 }
      return { degree: 1, factor: single || node.min === node.max ? 1 : 2 }
    }
    case 'sequence':
      return costOfSequence(node.parts, next)
    case 'either': {
      let degree = 0
      let factor = 0
      for (const option of node.options) {
        const cost = costOf(option, next)
        degree = Math.max(degree, cost.degree)
        factor += cost.factor
      }
      return { degree, factor }
    }
  }
}

/**
 * From the end to the start: `rest` is the cost of one try of what stands behind. A part that gives several tries
 * multiplies it; one that gives a single one adds to it, which leaves the higher degree.
 */
function costOfSequence(parts: readonly Node[], next: Next): Cost {
  let rest: Cost = { degree: 0, factor: 1 }
  let behind: Next = next
  for (let i = parts.length - 1; i >= 0; i--) {
    const part = parts[i] as Node
    const own = costOf(part, behind)
    const several = !isSingleTry(part, behind)
    rest = {
      degree: several ? rest.degree + own.degree : Math.max(rest.degree, own.degree),
      factor: several ? rest.factor * own.factor : rest.factor + own.factor - 1,
    }
    behind = firstOf(part, behind)
  }
  return rest
}

function isSingleTry(node: Node, next: Next): boolean {
  switch (node.kind) {
    case 'chars':
    case 'anchor':
      return true
    case 'group':
      return isSingleTry(node.body, next)
    case 'repeat':
      if (node.body.kind !== 'chars') return false
      return node.min === node.max || next === nothingFollows || (next !== undefined && !next.meets(node.body.set))
    case 'sequence': {
      let behind = next
      for (let i = node.parts.length - 1; i >= 0; i--) {
        if (!isSingleTry(node.parts[i] as Node, behind)) return false
        behind = firstOf(node.parts[i] as Node, behind)
      }
      return true
    }
    case 'either':
      return false
  }
}

/** What the node, followed by `next`, can begin with. */
function firstOf(node: Node, next: Next): Next {
  switch (node.kind) {
    case 'chars':
      return node.set
    case 'anchor':
      // The end of the text is no character: nothing that reads one meets it. Others may hold anywhere.
      return node.sign === '$' ? CharSet.empty : undefined
    case 'group':
      return firstOf(node.body, next)
    case 'repeat': {
      const own = firstOf(node.body, next)
      if (node.min > 0 || own === nothingFollows) return own
      return next === nothingFollows || next === undefined || own === undefined ? undefined : own.with(next)
    }
    case 'sequence':
      return node.parts.reduceRight<Next>((behind, part) => firstOf(part, behind), next)
    case 'either': {
      let all: CharSet = CharSet.empty
      for (const option of node.options) {
        const first = firstOf(option, next)
        if (first === undefined || first === nothingFollows) return undefined
        all = all.with(first)
      }
      return all
    }
  }
}

function startsAnchored(node: Node): boolean {
  if (node.kind === 'anchor') return node.sign === '^'
  if (node.kind === 'group') return startsAnchored(node.body)
  if (node.kind === 'sequence') return node.parts[0] !== undefined && startsAnchored(node.parts[0])
  return node.kind === 'either' && node.options.every(startsAnchored)
}

function sourceOf(node: Node): string {
  switch (node.kind) {
    case 'chars':
      return node.source
    case 'anchor':
      return node.sign
    case 'group':
      return node.captures ? `(${sourceOf(node.body)})` : `(?:${sourceOf(node.body)})`
    case 'repeat':
      return sourceOf(node.body) + node.source
    case 'sequence':
      return node.parts.map(sourceOf).join('')
    case 'either':
      return node.options.map(sourceOf).join('|')
  }
}
