/**
 * Reads the form of the client before a stage changes the body, if variables may name its fields
 * (`request_data_<field>`). All other variables are computed when they are read
 * (docs/reference/transforms.md#variables).
 */

import type { CompileContext, MakeStage } from '../contract/stage.ts'
import { withRequestBody } from '../shared/request-body.ts'
import { isForm, variablesOf } from '../shared/variable-values.ts'

export const makeContextVariables: MakeStage = (compileContext) => {
  const { api, services } = compileContext
  if (!api.document.enableContextVars || !asksForFields(compileContext)) return null
  return {
    run(context) {
      if (context.request.body === undefined || !isForm(context)) return undefined
      return withRequestBody(context, services, (body) => {
        variablesOf(context, compileContext).setForm(body)
        return undefined
      })
    },
  }
}

/** Returns true if a text of the definition names a field. Templates can name any field. */
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
