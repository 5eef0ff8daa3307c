/** Path rules of one version for the pipeline: without disabled rules, and with empty lists instead of missing ones. */
import { deepFreeze } from '../lib/shape/deep-freeze.ts'
import type { PathRules } from './api-definition.ts'
import { type ExtendedPaths, extendedPathsShape, type VersionDocument } from './version-shape.ts'

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
