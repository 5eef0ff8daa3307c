/**
 * Headers for the upstream: those of the version are taken off and set, then those of the path.
 * Source: spec/apis-and-pipeline.md 3 step 16, 4.4.
 */
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage } from '../contract/stage.ts'
import {
  applyHeaderRules,
  type CompiledHeaderRules,
  compileHeaderRules,
  headerEntries,
} from '../shared/header-rules.ts'
import { compilePathRules } from '../shared/match-path-rules.ts'
import { variablesOf } from '../shared/variables-of.ts'

export const makeHeaders: MakeStage = (compileContext) => {
  const global = compileHeaderRules(compileContext.version.globalHeaders, compileContext)
  const ofPath = compilePathRules(
    compileContext.version.paths.transformHeaders,
    compileContext,
    ({ deleteHeaders, addHeaders }) =>
      compileHeaderRules({ remove: deleteHeaders ?? [], add: headerEntries(addHeaders) }, compileContext),
  )
  if (global === undefined && ofPath === null) return null

  const apply = (rules: CompiledHeaderRules, context: RequestContext) => {
    const { outgoing } = context
    applyHeaderRules(rules, outgoing.ownHeaders(), () => variablesOf(context, compileContext))
    // Who takes the header off does not want the gateway to write it anew (4.10).
    if (rules.remove.includes('x-forwarded-for')) outgoing.addForwardedFor = false
  }

  return {
    name: 'headers',
    phase: '4-shape-request',
    run(context) {
      if (global !== undefined) apply(global, context)
      const rules = ofPath?.(context)
      if (rules !== undefined) apply(rules, context)
      return undefined
    },
  }
}
