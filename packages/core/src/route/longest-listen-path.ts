/**
 * A radix tree that finds the longest listen path at the start of a path. A node has a child for each character at
 * which listen paths differ, in an array indexed by character code. `outranks` compares a node with the best match so
 * far. Hosts: `listen-path-table.ts`. Equal listen paths: `listen-path-conflicts.ts`.
 */
import { type ListenPath, parseListenPath } from '../definition/listen-path.ts'
import type { Re2 } from '../lib/regex/re2.ts'

/** Children whose character codes differ by this much (letters outside ASCII) are in a map instead of an array. */
const maxArrayLength = 128

/** The result of a look-up. */
export interface RouteMatch<T> {
  readonly slot: T
  /** Length of the matched part of the path. */
  readonly matchedLength: number
  /** Whether the path matched `/{api_id}/` and does not begin with the listen path: nothing is stripped then. */
  readonly isById: boolean
  /** Rank of the API: the length of its listen path without variables. */
  readonly weight: number
  /** With strict routes: the path must end after the match or continue with a slash, or no API gets the request. */
  readonly mustEndSegment: boolean
}

/** A listen path with variables. */
interface VariablePath<T> {
  readonly pattern: Re2
  readonly weight: number
  readonly slot: T
}

/** A node that ends a listen path is returned as the `RouteMatch` itself, so no second object is loaded. */
class TreeNode<T> {
  label: string
  slot: T | undefined = undefined
  matchedLength = 0
  isById = false
  weight = 0
  mustEndSegment = false
  /** The listen path of the API whose id leads here; `undefined` for other nodes and for shadowed APIs. */
  listenPath: ListenPath | undefined = undefined
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

  /** Adds a listen path. Of several without variables at one node, the one of the highest rank counts, then the first. */
  add(listenPath: string, slot: T): void {
    const parsed = parseListenPath(listenPath)
    // `findServingProblem` has already rejected definitions with an invalid listen path.
    if (parsed.problem !== undefined) return
    const node = this.nodeAt(parsed.start)
    if (parsed.pattern !== undefined) {
      node.variables ??= []
      node.variables.push({ pattern: parsed.pattern, weight: parsed.weight, slot })
    } else if (node.slot === undefined || node.weight < parsed.weight) {
      node.slot = slot
      node.matchedLength = listenPath.length
      node.isById = false
      node.weight = parsed.weight
      node.mustEndSegment = this.strict && !listenPath.endsWith('/')
    }
  }

  /** Adds `/{api_id}/`, which has the rank of the API's listen path; `undefined`: the API has none. */
  addId(apiId: string, listenPath: string | undefined, slot: T): void {
    const path = `/${apiId}/`
    const parsed = listenPath === undefined ? undefined : parseListenPath(listenPath)
    const own = parsed?.problem === undefined ? parsed : undefined
    const weight = own?.weight ?? path.length
    const node = this.nodeAt(path)
    if (node.slot !== undefined && node.weight >= weight) return
    node.slot = slot
    node.matchedLength = path.length
    node.isById = true
    node.weight = weight
    node.mustEndSegment = false
    node.listenPath = own
  }

  /**
   * The match with the highest rank. At equal rank, a listen path wins over the id of another API, and a match without
   * variables over one with variables.
   */
  find(path: string): RouteMatch<T> | undefined {
    let best: RouteMatch<T> | undefined
    let node: TreeNode<T> | undefined = this.root
    let at = 0
    for (;;) {
      if (holdsMatch(node) && outranks(node, best)) best = node.isById ? matchById(node, path) : node
      for (const { weight, pattern, slot } of node.variables ?? []) {
        if (best !== undefined && weight <= best.weight) continue
        const matchedLength = pattern.exec(path)?.groups[0]?.length ?? -1
        if (matchedLength !== -1) best = { slot, matchedLength, isById: false, weight, mustEndSegment: false }
      }
      if (at === path.length) return best
      node = node.child(path.charCodeAt(at))
      if (node === undefined || !path.startsWith(node.label, at)) return best
      at += node.label.length
    }
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

/** Returns true if a node counts instead of the best match so far. The id of an API wins over its own listen path. */
function outranks<T>(node: RouteMatch<T>, best: RouteMatch<T> | undefined): boolean {
  if (best === undefined || node.weight > best.weight) return true
  return node.weight === best.weight && (!node.isById || node.slot === best.slot)
}

/**
 * If the path begins with the listen path too, that is what counts as matched and is stripped: API `cran` with the
 * listen path `/cran` gets `/cran/x` as `/x`.
 */
function matchById<T>(node: TreeNode<T> & RouteMatch<T>, path: string): RouteMatch<T> {
  const { listenPath } = node
  if (listenPath === undefined) return node
  const { start, pattern } = listenPath
  if (!path.startsWith(start)) return node
  const matchedLength = pattern === undefined ? start.length : pattern.exec(path)?.groups[0]?.length
  if (matchedLength === undefined) return node
  return { slot: node.slot, matchedLength, isById: false, weight: node.weight, mustEndSegment: false }
}

function sharedLength(label: string, text: string, from: number): number {
  let length = 0
  while (length < label.length && label.charCodeAt(length) === text.charCodeAt(from + length)) length++
  return length
}
