/**
 * Removes and sets headers for the upstream, by the rules of the version, then of the path
 * (docs/reference/request-pipeline.md#step-order).
 */
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage } from '../contract/stage.ts'
import { applyHeaderRules, type CompiledHeaderRules, compileHeaderRules } from '../shared/header-rules.ts'
import { compilePathRules, methodRules } from '../shared/match-path-rules.ts'
import { variablesOf } from '../shared/variable-values.ts'

export const makeHeaders: MakeStage = (compileContext) => {
  const global = compileHeaderRules(compileContext.version.globalHeaders, compileContext)
  const { transformHeaders } = compileContext.version.paths
  const make = ({ deleteHeaders, addHeaders }: (typeof transformHeaders)[number]) =>
    compileHeaderRules({ remove: deleteHeaders ?? [], add: Object.entries(addHeaders ?? {}) }, compileContext)
  const ofPath = compilePathRules(transformHeaders, compileContext, make)
  const ofMethod = methodRules(transformHeaders, compileContext, make)
  if (global === undefined && ofPath === null) return null

  const apply = (rules: CompiledHeaderRules, context: RequestContext) => {
    const { outgoing } = context
    applyHeaderRules(rules, outgoing.ownHeaders(), () => variablesOf(context, compileContext))
    // A rule that removes the header also keeps the gateway from adding it.
    if (rules.remove.includes('x-forwarded-for')) outgoing.addForwardedFor = false
  }

  return {
    run(context) {
      if (global !== undefined) apply(global, context)
      // The rules of a tool, a resource or a prompt come after those of its method.
      const common = ofMethod?.(context)
      if (common !== undefined) apply(common, context)
      const rules = ofPath?.(context)
      if (rules !== undefined) apply(rules, context)
      return undefined
    },
  }
}
