/** Checks path rules: whether their patterns are valid and whether they can ever apply. */

import { compilePathPattern, hasVariablePattern } from '../../lib/regex/path-pattern.ts'
import { type JsonPath, nearestName } from '../../lib/shape/shape.ts'
import type { Report } from '../findings/finding.ts'
import { primitiveOfPath } from '../mcp/primitive.ts'
import { listWireNames } from '../version-path-rules.ts'
import { type ExtendedPaths, extendedPathsShape, type PathRule, type VersionDocument } from '../version-shape.ts'
import type { Lint } from './lint.ts'
import { lintBodyRegExp, lintRegExp, lintRewrites } from './rewrite-lint.ts'
import { lintRuleOrder } from './rule-order-lint.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'] as const
const transformMethods = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'] as const

const fieldNames = Object.keys(extendedPathsShape.zero()) as (keyof ExtendedPaths)[]

export const pathRuleLint: Lint = (document, report, { exactPaths = false }) => {
  for (const [name, version] of Object.entries(document.versionData.versions ?? {})) {
    lintVersion(version, ['version_data', 'versions', name], exactPaths, report)
  }
  lintRegExp(document.definition.urlVersioningPattern, ['definition', 'url_versioning_pattern'], report)
  lintBodyRegExp(document.basicAuth.bodyUserRegexp, ['basic_auth', 'body_user_regexp'], report)
  lintBodyRegExp(document.basicAuth.bodyPasswordRegexp, ['basic_auth', 'body_password_regexp'], report)
}

function lintVersion(version: VersionDocument, at: JsonPath, exactPaths: boolean, report: Report): void {
  const listed = fieldNames.filter((name) => (version.extendedPaths[name]?.length ?? 0) > 0)
  if (!version.useExtendedPaths && listed.length > 0) {
    report('extended-paths-off', [...at, 'extended_paths'])
  }
  const { ignored, whiteList, blackList } = version.paths
  if (version.useExtendedPaths && (ignored?.length || whiteList?.length || blackList?.length)) {
    report('plain-paths-ignored', [...at, 'paths'])
  }
  if (!version.useExtendedPaths) {
    const plain = { ignored, white_list: whiteList, black_list: blackList }
    for (const [name, list] of Object.entries(plain)) {
      for (const [i, path] of (list ?? []).entries()) {
        lintPattern(path, [...at, 'paths', name, i], report)
        if (name === 'black_list') lintVariable(path, [...at, 'paths', name, i], report)
      }
    }
    return
  }
  for (const name of listed) {
    const list: readonly unknown[] = version.extendedPaths[name] ?? []
    if (!exactPaths) lintRuleOrder(list, [...at, 'extended_paths', listWireNames.get(name) as string], report)
    for (const [i, rule] of list.entries()) {
      const path = [...at, 'extended_paths', listWireNames.get(name) as string, i]
      if (typeof rule === 'string') lintPattern(rule, path, report)
      else if (isPathRule(rule) && !rule.disabled) {
        lintRule(rule, path, report)
        if (rejectingLists.has(name)) lintVariable(rule.path, [...path, 'path'], report)
      }
    }
  }
  lintSpecialFields(version.extendedPaths, [...at, 'extended_paths'], report)
}

/** Lists in which a variable with a pattern matches any segment. */
const rejectingLists: ReadonlySet<keyof ExtendedPaths> = new Set(['blackList', 'internal', 'goPlugin'])

function lintVariable(path: string, at: JsonPath, report: Report): void {
  if (!hasVariablePattern(path)) return
  report('variable-in-rejecting-list', at)
}

function isPathRule(rule: unknown): rule is PathRule {
  return typeof rule === 'object' && rule !== null && typeof (rule as Partial<PathRule>).path === 'string'
}

function lintRule(rule: PathRule, at: JsonPath, report: Report): void {
  // The path of an MCP primitive also matches literally, so it need not be a valid pattern.
  if (primitiveOfPath(rule.path) === undefined) lintPattern(rule.path, [...at, 'path'], report)
  if (rule.path === '') report('rule-for-every-path', [...at, 'path'])
  const { method } = rule
  if (method === '' || method === undefined || methods.includes(method as (typeof methods)[number])) return
  const suggestion = nearestName(method, methods)
  const isCase = suggestion !== undefined && suggestion === method.toUpperCase()
  report(isCase ? 'method-in-lower-case' : 'unusual-method', [...at, 'method'], {}, suggestion)
}

/** Checks fields that exist in one list only. */
function lintSpecialFields(lists: ExtendedPaths, at: JsonPath, report: Report): void {
  lintRewrites(lists.urlRewrites ?? [], [...at, 'url_rewrites'], report)
  for (const [i, rule] of (lists.advanceCacheConfig ?? []).entries()) {
    lintBodyRegExp(rule.cacheKeyRegex, [...at, 'advance_cache_config', i, 'cache_key_regex'], report)
  }
  for (const [i, rule] of (lists.methodTransforms ?? []).entries()) {
    const to = rule.toMethod.toUpperCase()
    if (rule.disabled || transformMethods.includes(to as (typeof transformMethods)[number])) continue
    const known = transformMethods.join(', ')
    const path = [...at, 'method_transforms', i, 'to_method']
    report('unknown-method-transform', path, { known }, nearestName(to, transformMethods))
  }
  for (const [i, rule] of (lists.mockResponse ?? []).entries()) {
    if (rule.disabled || rule.code === 0 || (rule.code >= 100 && rule.code <= 599)) continue
    report('invalid-mock-status', [...at, 'mock_response', i, 'code'])
  }
}

function lintPattern(path: string, at: JsonPath, report: Report): void {
  const { problem } = compilePathPattern(path)
  if (problem === undefined) return
  report('invalid-path-pattern', at, { problem })
}
