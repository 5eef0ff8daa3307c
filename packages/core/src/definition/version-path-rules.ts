/** Path rules of one version for the pipeline: without disabled rules, and with empty lists instead of missing ones. */
import { isJson, textOf } from '../lib/json.ts'
import { compilePathPattern, isPlainPath } from '../lib/regex/path-pattern.ts'
import { deepFreeze } from '../lib/shape/deep-freeze.ts'
import type { PathRules } from './api-definition.ts'
import { type ExtendedPaths, extendedPathsShape, type VersionDocument } from './version-shape.ts'

/** Names of the lists in definitions, by the name of their field. */
export const listWireNames: ReadonlyMap<string, string> = new Map(
  Object.keys(extendedPathsShape.zero()).map((name, i) => [name, extendedPathsShape.wireNames[i] as string]),
)

const listNames = Object.keys(extendedPathsShape.zero()) as (keyof ExtendedPaths)[]

/** Shared by all versions without rules. */
const noRules = deepFreeze(Object.fromEntries(listNames.map((name) => [name, []])) as unknown as PathRules)

/** The rules of a version. Without `use_extended_paths`, they are the three lists of `paths`. */
export function pathRulesOf(version: VersionDocument): PathRules {
  return version.useExtendedPaths ? fromExtendedPaths(version.extendedPaths) : fromPlainPaths(version.paths)
}

function fromExtendedPaths(lists: ExtendedPaths): PathRules {
  let rules: Record<string, readonly unknown[]> | undefined
  for (const name of listNames) {
    const list: readonly unknown[] | null = lists[name]
    if (list === null || list.length === 0) continue
    rules ??= { ...noRules }
    rules[name] = list.some(isDisabled) ? list.filter((rule) => !isDisabled(rule)) : list
  }
  return rules === undefined ? noRules : (rules as unknown as PathRules)
}

function fromPlainPaths(paths: VersionDocument['paths']): PathRules {
  const { ignored, whiteList, blackList } = paths
  if (!ignored?.length && !whiteList?.length && !blackList?.length) return noRules
  return { ...noRules, ignored: listed(ignored), whiteList: listed(whiteList), blackList: listed(blackList) }
}

function listed(paths: readonly string[] | null): PathRules['ignored'] {
  return (paths ?? []).map((path) => ({ path, method: '', disabled: false, ignoreCase: false, methodActions: null }))
}

function isDisabled(rule: unknown): boolean {
  return typeof rule === 'object' && rule !== null && (rule as { disabled?: unknown }).disabled === true
}

/** A rule whose path is not a valid pattern, so that nobody knows which requests it is for. */
export interface BrokenPath {
  /** Name of the list in the definition. */
  readonly list: string
  readonly path: string
  readonly problem: string
}

/**
 * The first rule of a version whose path is not a valid pattern; `undefined`: there is none. `isLiteral`: paths that are
 * no patterns, as those of MCP primitives.
 */
export function findBrokenPath(rules: PathRules, isLiteral: (path: string) => boolean): BrokenPath | undefined {
  if (rules === noRules) return undefined
  for (const name of listNames) {
    const list: readonly unknown[] = rules[name]
    for (const rule of list) {
      const path = typeof rule === 'string' ? rule : textOf(isJson(rule) ? rule['path'] : undefined)
      // Documents can have thousands of such paths, and compiling a pattern takes 100 µs.
      if (isPlainPath(path)) continue
      const { problem } = compilePathPattern(path)
      if (problem === undefined || isLiteral(path)) continue
      return { list: listWireNames.get(name) as string, path, problem }
    }
  }
  return undefined
}

export function reasonOfBrokenPath({ path, problem }: BrokenPath): string {
  return `the path ${JSON.stringify(path)} is not a valid pattern: ${problem}`
}
