/** Replaces the method for the upstream, by path (docs/reference/transforms.md#method-transform). */
import { rejections, reword } from '../../http/rejections.ts'
import type { MakeStage } from '../contract/stage.ts'
import { makeRuleStage } from '../shared/match-path-rules.ts'

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']
const notAllowed = reword(rejections.methodNotAllowed, { headers: ['allow', methods.join(', ')] })

export const makeMethodTransform: MakeStage = (compileContext) =>
  makeRuleStage(
    compileContext.version.paths.methodTransforms,
    compileContext,
    ({ toMethod }) => toMethod.toUpperCase(),
    (method, { outgoing, request, trace }) => {
      if (!methods.includes(method)) return notAllowed
      outgoing.method = method
      trace?.note(`${request.method} becomes ${method}`)
      return undefined
    },
  )
