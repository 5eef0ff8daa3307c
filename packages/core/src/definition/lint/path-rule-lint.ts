/** Checks path rules: whether their patterns are valid and whether they can ever apply. */

import { compilePathPattern, hasVariablePattern } from '../../lib/regex/path-pattern.ts'
import { type JsonPath, nearestName } from '../../lib/shape/shape.ts'
import { primitiveOfPath } from '../mcp/primitive.ts'
import { listWireNames } from '../version-path-rules.ts'
import { type ExtendedPaths, extendedPathsShape, type PathRule, type VersionDocument } from '../version-shape.ts'
import type { Lint, Report } from './finding.ts'
import { lintBodyRegExp, lintRegExp, lintRewrites } from './rewrite-lint.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'] as const
const transformMethods = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'] as const

const fieldNames = Object.keys(extendedPathsShape.zero()) as (keyof ExtendedPaths)[]

export const pathRuleLint: Lint = (document, report) => {
  for (const [name, version] of Object.entries(document.versionData.versions ?? {})) {
    lintVersion(version, ['version_data', 'versions', name], report)
  }
  lintRegExp(document.definition.urlVersioningPattern, ['definition', 'url_versioning_pattern'], report)
  lintBodyRegExp(document.basicAuth.bodyUserRegexp, ['basic_auth', 'body_user_regexp'], report)
  lintBodyRegExp(document.basicAuth.bodyPasswordRegexp, ['basic_auth', 'body_password_regexp'], report)
}

function lintVersion(version: VersionDocument, at: JsonPath, report: Report): void {
  const listed = fieldNames.filter((name) => (version.extendedPaths[name]?.length ?? 0) > 0)
  if (!version.useExtendedPaths && listed.length > 0) {
    report('warning', [...at, 'extended_paths'], 'has no effect while use_extended_paths is false; set it to true')
  }
  const { ignored, whiteList, blackList } = version.paths
  if (version.useExtendedPaths && (ignored?.length || whiteList?.length || blackList?.length)) {
    report(
      'warning',
      [...at, 'paths'],
      'has no effect while use_extended_paths is true; move its entries to extended_paths',
    )
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
  const reason = 'has a variable with a pattern, which matches any segment in a list that rejects requests'
  report('warning', at, `${reason}; write {name}, or the pattern in parentheses to reject only what fits it`)
}

function isPathRule(rule: unknown): rule is PathRule {
  return typeof rule === 'object' && rule !== null && typeof (rule as Partial<PathRule>).path === 'string'
}

function lintRule(rule: PathRule, at: JsonPath, report: Report): void {
  // The path of an MCP primitive also matches literally, so it need not be a valid pattern.
  if (primitiveOfPath(rule.path) === undefined) lintPattern(rule.path, [...at, 'path'], report)
  if (rule.path === '') report('warning', [...at, 'path'], 'is empty, so the rule applies to every path')
  const { method } = rule
  if (method === '' || method === undefined || methods.includes(method as (typeof methods)[number])) return
  const suggestion = nearestName(method, methods)
  const isCase = suggestion !== undefined && suggestion === method.toUpperCase()
  report(
    'warning',
    [...at, 'method'],
    isCase ? 'must be in upper case to match a request' : 'is an unusual method',
    suggestion,
  )
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
    const message = `is not one of ${transformMethods.join(', ')}: requests are rejected with 405`
    report('error', [...at, 'method_transforms', i, 'to_method'], message, nearestName(to, transformMethods))
  }
  for (const [i, rule] of (lists.mockResponse ?? []).entries()) {
    if (rule.disabled || rule.code === 0 || (rule.code >= 100 && rule.code <= 599)) continue
    report('error', [...at, 'mock_response', i, 'code'], 'is not an HTTP status')
  }
}

function lintPattern(path: string, at: JsonPath, report: Report): void {
  const { problem } = compilePathPattern(path)
  if (problem === undefined) return
  report(
    'error',
    at,
    `is not a valid pattern, so the gateway rejects every request of the version with 500: ${problem}`,
  )
}
