/**
 * Rejects the requests of an API whose definition requires a guard that this gateway does not support: plugins in Go, or an
 * `auth_provider` that is not built in (docs/reference/unsupported-features.md#handling-of-unsupported-features).
 * `compile/store-outage.ts` decides what happens while the store is unavailable.
 */
import { unsupportedAuthProvider } from '../../definition/support-status/definition-support.ts'
import { rejections } from '../../http/rejections.ts'
import { isJson, textOf } from '../../lib/json.ts'
import type { CompileContext, MakeStage } from '../contract/stage.ts'
import { compilePathRules, type FindRule } from '../shared/match-path-rules.ts'

export const makeUnsupportedGuard: MakeStage = (compileContext) => {
  const { api, services } = compileContext
  const closed = unsupportedAuthProvider(api.document)
  const findPlugin = closed === undefined ? pluginRules(compileContext) : null
  if (closed === undefined && findPlugin === null) return null
  services.log.error('an API rejects requests: something that guards them cannot run', {
    api: api.id,
    field: closed === undefined ? 'go_plugin' : closed.path.join('.'),
    reason: closed?.reason ?? 'plugins in Go cannot run',
  })
  return {
    run: (context) => (findPlugin === null || findPlugin(context) ? rejections.guardUnavailable : undefined),
  }
}

/** Only the paths of the plugins are closed. */
function pluginRules(compileContext: CompileContext): FindRule<true> | null {
  const rules = compileContext.version.paths.goPlugin
    .filter(isJson)
    .map((rule) => ({ path: textOf(rule['path']), method: textOf(rule['method']) }))
  return compilePathRules(rules, compileContext, () => true as const, { anyMethod: true })
}
