/**
 * A radix tree that finds the longest listen path at the start of a path. A node has a child for each character at
 * which listen paths differ, in an array indexed by character code.
 */
import { parseListenPath } from '../definition/listen-path.ts'
import type { Re2 } from '../lib/regex/re2.ts'

/** Children whose character codes differ by this much (letters outside ASCII) are in a map instead of an array. */
const maxArrayLength = 128

const slash = 0x2f

/** The result of a look-up. */
export interface RouteMatch<T> {
  readonly slot: T
  /** Length of the matched part of the path. */
  readonly matchedLength: number
  /** Whether the path matched `/{api_id}/`, which is not stripped. */
  readonly byId: boolean
}

/** A listen path with variables. */
interface VariablePath<T> {
  readonly pattern: Re2
  readonly weight: number
  readonly endsInSlash: boolean
  readonly slot: T
  readonly byId: boolean
}

/** A node where a prefix ends is itself the result of a look-up, which saves a cache miss. */
class TreeNode<T> {
  label: string
  slot: T | undefined = undefined
  matchedLength = 0
  byId = false
  /** With strict routes: the prefix ends within a segment, so the path must end or continue with a slash. */
  mustEndSegment = false
  variables: VariablePath<T>[] | undefined = undefined
  private firstCode = 0
  private near: (TreeNode<T> | undefined)[] | undefined = undefined
  private far: Map<number, TreeNode<T>> | undefined = undefined

  constructor(label: string) {
    this.label = label
  }

  child(code: number): TreeNode<T> | undefined {
    if (this.near !== undefined) {
      const index = code - this.firstCode
      return index >= 0 && index < this.near.length ? this.near[index] : undefined
    }
    return this.far?.get(code)
  }

  setChild(code: number, node: TreeNode<T>): void {
    if (this.far === undefined) {
      const first = this.near === undefined ? code : Math.min(code, this.firstCode)
      const last = this.near === undefined ? code : Math.max(code, this.firstCode + this.near.length - 1)
      if (last - first < maxArrayLength) {
        if (this.near === undefined) this.near = []
        while (this.firstCode > first && this.near.length > 0) {
          this.near.unshift(undefined)
          this.firstCode--
        }
        this.firstCode = first
        while (this.near.length <= last - first) this.near.push(undefined)
        this.near[code - first] = node
        return
      }
      this.far = new Map()
      for (const [i, one] of this.near?.entries() ?? []) if (one !== undefined) this.far.set(this.firstCode + i, one)
      this.near = undefined
    }
    this.far.set(code, node)
  }

  /** Inserts a parent that takes the first `length` characters of this node's label. */
  split(length: number): TreeNode<T> {
    const upper = new TreeNode<T>(this.label.slice(0, length))
    this.label = this.label.slice(length)
    upper.setChild(this.label.charCodeAt(0), this)
    return upper
  }
}

export class PrefixTree<T> {
  private readonly strict: boolean
  private readonly root = new TreeNode<T>('')

  constructor(strict: boolean) {
    this.strict = strict
  }

  /** Adds a listen path, unless the tree already contains it. */
  add(listenPath: string, slot: T, byId: boolean): void {
    const parsed = parseListenPath(listenPath)
    // `findServingProblem` has already rejected definitions with an invalid listen path.
    if (parsed.problem !== undefined) return
    const node = this.nodeAt(parsed.start)
    const endsInSlash = listenPath.endsWith('/')
    if (parsed.pattern !== undefined) {
      node.variables ??= []
      node.variables.push({ pattern: parsed.pattern, weight: parsed.weight, endsInSlash, slot, byId })
    } else if (node.slot === undefined) {
      node.slot = slot
      node.matchedLength = listenPath.length
      node.byId = byId
      node.mustEndSegment = this.strict && !endsInSlash
    }
  }

  /** The match of the longest prefix. Variables do not count in the length; at equal length, plain text wins. */
  find(path: string): RouteMatch<T> | undefined {
    let best: RouteMatch<T> | undefined
    let bestWeight = -1
    let node: TreeNode<T> | undefined = this.root
    let at = 0
    for (;;) {
      if (holdsMatch(node) && at >= bestWeight && (!node.mustEndSegment || endsSegment(path, at))) {
        best = node
        bestWeight = at
      }
      if (node.variables !== undefined) {
        for (const variable of node.variables) {
          if (variable.weight <= bestWeight) continue
          const length = this.matchedLength(variable, path)
          if (length === -1) continue
          best = { slot: variable.slot, matchedLength: length, byId: variable.byId }
          bestWeight = variable.weight
        }
      }
      if (at === path.length) return best
      node = node.child(path.charCodeAt(at))
      if (node === undefined || !path.startsWith(node.label, at)) return best
      at += node.label.length
    }
  }

  /** Length of the match at the start of the path; -1: no match. */
  private matchedLength(variable: VariablePath<T>, path: string): number {
    const length = variable.pattern.exec(path)?.groups[0]?.length ?? -1
    return this.strict && !variable.endsInSlash && length !== -1 && !endsSegment(path, length) ? -1 : length
  }

  private nodeAt(text: string): TreeNode<T> {
    let node = this.root
    let at = 0
    while (at < text.length) {
      const code = text.charCodeAt(at)
      const child = node.child(code)
      if (child === undefined) {
        const leaf = new TreeNode<T>(text.slice(at))
        node.setChild(code, leaf)
        return leaf
      }
      const shared = sharedLength(child.label, text, at)
      const next = shared < child.label.length ? child.split(shared) : child
      if (next !== child) node.setChild(code, next)
      node = next
      at += shared
    }
    return node
  }
}

function holdsMatch<T>(node: TreeNode<T>): node is TreeNode<T> & RouteMatch<T> {
  return node.slot !== undefined
}

function endsSegment(path: string, at: number): boolean {
  return at === path.length || path.charCodeAt(at) === slash || (at > 0 && path.charCodeAt(at - 1) === slash)
}

function sharedLength(label: string, text: string, from: number): number {
  let length = 0
  while (length < label.length && label.charCodeAt(length) === text.charCodeAt(from + length)) length++
  return length
}
