/**
 * Removes and sets headers of responses, by the rules of the path, then of the version, then of `header_injector`
 * (docs/reference/transforms.md#response-chain).
 */
import { list, map, object, readShape, text } from '../../lib/shape/shape.ts'
import type { CompileContext, MakeResponseStage } from '../contract/stage.ts'
import { applyHeaderRules, type CompiledHeaderRules, compileHeaderRules } from '../shared/header-rules.ts'
import { compilePathRules } from '../shared/match-path-rules.ts'
import { firesFor, processorOptions } from '../shared/response-processors.ts'
import { variablesOf } from '../shared/variable-values.ts'

const injectorShape = object({ addHeaders: map(text), removeHeaders: list(text) })

export const makeResponseHeaders: MakeResponseStage = (compileContext) => {
  const fires = firesFor('header_injector', compileContext)
  const ofPath = fires ? compilePathHeaders(compileContext) : null
  const ofVersion = fires ? compileHeaderRules(compileContext.version.globalResponseHeaders, compileContext) : undefined
  const everywhere = [ofVersion, ...compileInjectors(compileContext)].filter((rules) => rules !== undefined)
  if (ofPath === null && everywhere.length === 0) return null
  return {
    run(context, response) {
      const apply = (rules: CompiledHeaderRules) => {
        applyHeaderRules(rules, response.headers, () => variablesOf(context, compileContext))
      }
      const rules = ofPath?.(context)
      if (rules !== undefined) apply(rules)
      for (const each of everywhere) apply(each)
      return response
    },
  }
}

function compilePathHeaders(compileContext: CompileContext) {
  return compilePathRules(
    compileContext.version.paths.transformResponseHeaders,
    compileContext,
    ({ deleteHeaders, addHeaders }) =>
      compileHeaderRules({ remove: deleteHeaders ?? [], add: Object.entries(addHeaders ?? {}) }, compileContext),
  )
}

function compileInjectors(compileContext: CompileContext): (CompiledHeaderRules | undefined)[] {
  return processorOptions('header_injector', compileContext).map((options) => {
    const { value, readable } = readShape(injectorShape, options)
    if (!readable) {
      compileContext.services.log.warn('options of header_injector are ignored: they are invalid', {
        api: compileContext.api.id,
      })
      return undefined
    }
    return compileHeaderRules(
      { remove: value.removeHeaders ?? [], add: Object.entries(value.addHeaders ?? {}) },
      compileContext,
    )
  })
}
