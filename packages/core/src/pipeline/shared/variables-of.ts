/** How stages come by variables: texts are compiled for the API, values belong to the request. */

import { compileVariableText, type VariableText, type VariableWords } from '../../lib/template/variable-text.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { RequestVariables } from '../contract/request-variables.ts'
import type { Scope } from '../contract/stage.ts'
import { VariableValues } from './variable-values.ts'

/** The words by which variables are known in this gateway. */
export function variableWords({ tools }: Scope): VariableWords {
  return { vendor: tools.settings.vendor.toLowerCase(), secret: tools.secret }
}

export function compileText(text: string, scope: Scope): VariableText {
  return compileVariableText(text, variableWords(scope))
}

/** The variables of a request; the same object for all stages. */
export function variablesOf(context: RequestContext, { api, tools }: Scope): RequestVariables {
  context.variables ??= new VariableValues(context, {
    contextOn: api.document.enableContextVars,
    xffDepth: tools.settings.routing.xffDepth,
    ids: tools.ids,
  })
  return context.variables
}
