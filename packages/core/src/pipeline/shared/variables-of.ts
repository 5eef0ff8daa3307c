/** Access to variables: texts are compiled with the API, values belong to the request. */

import { compileVariableText, type VariableText, type VariableWords } from '../../lib/template/variable-text.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { RequestVariables } from '../contract/request-variables.ts'
import type { CompileContext } from '../contract/stage.ts'
import { VariableValues } from './variable-values.ts'

/** Returns the words that begin the names of variables in this gateway. */
export function variableWords({ services }: CompileContext): VariableWords {
  return { vendor: services.settings.vendor.toLowerCase(), secret: services.secret }
}

export function compileText(text: string, compileContext: CompileContext): VariableText {
  return compileVariableText(text, variableWords(compileContext))
}

/** Returns the variables of a request; the same object for all stages. */
export function variablesOf(context: RequestContext, { api, services }: CompileContext): RequestVariables {
  context.variables ??= new VariableValues(context, {
    contextOn: api.document.enableContextVars,
    routing: services.settings.routing,
    ids: services.ids,
    headers: services.settings.headers,
  })
  return context.variables
}
