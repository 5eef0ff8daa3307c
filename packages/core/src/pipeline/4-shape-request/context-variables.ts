/**
 * Reads the client's form where variables may ask for its fields (`request_data_<field>`), before any stage changes
 * the body. Everything else that variables name is found when it is asked for. Source: spec/apis-and-pipeline.md 4.4.
 */

import type { CompileContext, MakeStage } from '../contract/stage.ts'
import { withRequestBody } from '../shared/request-body.ts'
import { isForm } from '../shared/variable-values.ts'
import { variablesOf } from '../shared/variables-of.ts'

export const makeContextVariables: MakeStage = (compileContext) => {
  const { api, services } = compileContext
  if (!api.document.enableContextVars || !asksForFields(compileContext)) return null
  return {
    name: 'context-variables',
    phase: '4-shape-request',
    run(context) {
      if (context.request.body === undefined || !isForm(context)) return undefined
      return withRequestBody(context, services, (body) => {
        variablesOf(context, compileContext).setForm(body)
        return undefined
      })
    },
  }
}

/** Whether any text of the definition may name a field; templates may, whatever they say. */
function asksForFields({ api, version }: CompileContext): boolean {
  const { transform, transformResponse, transformHeaders, transformResponseHeaders, urlRewrites } = version.paths
  if (transform.length > 0 || transformResponse.length > 0) return true
  const texts = [
    version.globalHeaders,
    version.globalResponseHeaders,
    transformHeaders,
    transformResponseHeaders,
    urlRewrites,
    api.document.responseProcessors,
  ]
  return JSON.stringify(texts).includes('request_data')
}
