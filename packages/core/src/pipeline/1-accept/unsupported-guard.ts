/**
 * Rejects the requests of an API whose definition requires a guard that this gateway does not support: plugins in Go, or an
 * `auth_provider` that is not built in (docs/reference/unsupported-features.md#handling-of-unsupported-features). A rule
 * whose path is not a valid pattern closes its version, because it may be what guards any path of it.
 * `compile/store-outage.ts` decides what happens while the store is unavailable.
 */
import { primitivePathTest } from '../../definition/mcp/primitive.ts'
import { unsupportedAuthProvider } from '../../definition/support-status/definition-support.ts'
import { findBrokenPath, reasonOfBrokenPath } from '../../definition/version-path-rules.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { isJson, textOf } from '../../lib/json.ts'
import { compileRe2 } from '../../lib/regex/re2.ts'
import type { CompileContext, MakeStage } from '../contract/stage.ts'
import { brokenRule, compilePathRules, type FindRule } from '../shared/match-path-rules.ts'

export const makeUnsupportedGuard: MakeStage = (compileContext) => {
  const { api, services } = compileContext
  const closed = closedBy(compileContext)
  const logClosed = ({ field, reason }: Closed) => {
    services.log.error('an API rejects requests: something that guards them cannot run', { api: api.id, field, reason })
  }
  if (closed !== undefined) {
    logClosed(closed)
    return { run: () => rejections.guardUnavailable }
  }
  const findPlugin = pluginRules(compileContext)
  const findBroken = brokenCacheKeys(compileContext)
  if (findPlugin !== null) logClosed({ field: 'go_plugin', reason: 'plugins in Go cannot run' })
  if (findPlugin === null && findBroken === null) return null
  return {
    run: (context) => (findPlugin?.(context) ? rejections.guardUnavailable : findBroken?.(context)),
  }
}

interface Closed {
  readonly field: string
  readonly reason: string
}

/** Why every request of the version is rejected; `undefined`: the guard concerns single paths at most. */
function closedBy({ api, version }: CompileContext): Closed | undefined {
  const provider = unsupportedAuthProvider(api.document)
  if (provider !== undefined) return { field: provider.path.join('.'), reason: provider.reason }
  const broken = findBrokenPath(version.paths, primitivePathTest(api.document))
  if (broken === undefined) return undefined
  return { field: `extended_paths.${broken.list}`, reason: reasonOfBrokenPath(broken) }
}

/** Only the paths of the plugins are closed. */
function pluginRules(compileContext: CompileContext): FindRule<true> | null {
  const rules = compileContext.version.paths.goPlugin
    .filter(isJson)
    .map((rule) => ({ path: textOf(rule['path']), method: textOf(rule['method']) }))
  return compilePathRules(rules, compileContext, () => true as const, {
    anyMethod: true,
    rejects: true,
    coversHead: true,
  })
}

/** Rules whose `cache_key_regex` is invalid: without it, requests that differ could share a cached response. */
function brokenCacheKeys(compileContext: CompileContext): FindRule<Rejection> | null {
  const rules = compileContext.version.paths.advanceCacheConfig.filter(
    ({ cacheKeyRegex }) => compileRe2(cacheKeyRegex).problem !== undefined,
  )
  return compilePathRules(rules, compileContext, (rule) => {
    const reason = `cache_key_regex is invalid: ${compileRe2(rule.cacheKeyRegex).problem}`
    return brokenRule(rule, reason, compileContext).broken
  })
}
