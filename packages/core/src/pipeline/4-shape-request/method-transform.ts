/** Replaces the method for the upstream, by path (docs/reference/transforms.md#method-transform). */
import { rejections, reword } from '../../http/rejections.ts'
import type { MakeStage } from '../contract/stage.ts'
import { compilePathRules } from '../shared/match-path-rules.ts'

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']
const notAllowed = reword(rejections.methodNotAllowed, { headers: ['allow', methods.join(', ')] })

export const makeMethodTransform: MakeStage = (compileContext) => {
  const find = compilePathRules(compileContext.version.paths.methodTransforms, compileContext, ({ toMethod }) =>
    toMethod.toUpperCase(),
  )
  if (find === null) return null
  return {
    name: 'method-transform',
    phase: '4-shape-request',
    run(context) {
      const method = find(context)
      if (method === undefined) return undefined
      if (!methods.includes(method)) return notAllowed
      context.outgoing.method = method
      context.trace?.note(`${context.request.method} becomes ${method}`)
      return undefined
    },
  }
}
