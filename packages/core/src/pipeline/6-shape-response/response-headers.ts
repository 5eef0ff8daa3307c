/**
 * Headers of answers: path, then version, then `header_injector`, each taking off before setting; the last writer
 * wins. Source: spec/apis-and-pipeline.md 6.
 */
import { list, map, object, readShape, text } from '../../lib/shape/shape.ts'
import type { MakeResponseStage, Scope } from '../contract/stage.ts'
import {
  applyHeaderRules,
  type CompiledHeaderRules,
  compileHeaderRules,
  headerEntries,
} from '../shared/header-rules.ts'
import { compilePathRules } from '../shared/match-path-rules.ts'
import { variablesOf } from '../shared/variables-of.ts'
import { firesFor, processorOptions } from './response-processors.ts'

const injectorShape = object({ addHeaders: map(text), removeHeaders: list(text) })

export const makeResponseHeaders: MakeResponseStage = (scope) => {
  const fires = firesFor('header_injector', scope)
  const ofPath = fires ? compilePathHeaders(scope) : null
  const ofVersion = fires ? compileHeaderRules(scope.version.globalResponseHeaders, scope) : undefined
  const everywhere = [ofVersion, ...compileInjectors(scope)].filter((rules) => rules !== undefined)
  if (ofPath === null && everywhere.length === 0) return null
  return {
    name: 'response-headers',
    phase: '6-shape-response',
    run(context, answer) {
      const apply = (rules: CompiledHeaderRules) => {
        applyHeaderRules(rules, answer.headers, () => variablesOf(context, scope))
      }
      const rules = ofPath?.(context)
      if (rules !== undefined) apply(rules)
      for (const each of everywhere) apply(each)
      return answer
    },
  }
}

function compilePathHeaders(scope: Scope) {
  return compilePathRules(scope.version.paths.transformResponseHeaders, scope, ({ deleteHeaders, addHeaders }) =>
    compileHeaderRules({ remove: deleteHeaders ?? [], add: headerEntries(addHeaders) }, scope),
  )
}

function compileInjectors(scope: Scope): (CompiledHeaderRules | undefined)[] {
  return processorOptions('header_injector', scope).map((options) => {
    const { value, readable } = readShape(injectorShape, options)
    if (!readable) {
      scope.tools.log.warn('options of header_injector are passed over: they cannot be read', { api: scope.api.id })
      return undefined
    }
    return compileHeaderRules({ remove: value.removeHeaders ?? [], add: headerEntries(value.addHeaders) }, scope)
  })
}
