/**
 * Replaces the body for the upstream by a rendered template. If the body cannot be read, or the template fails on it, the
 * request is rejected: the upstream never gets a body that the template was to change
 * (docs/reference/transforms.md#body-templates).
 */
import { headerOf, removeHeader, setHeader } from '../../http/headers.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { escapeForBody } from '../../lib/template/escape-variable.ts'
import { codingProblem } from '../../lib/text/unambiguous-json.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage } from '../contract/stage.ts'
import { type BodyTemplate, compileBodyTemplate } from '../shared/body-template.ts'
import { makeRuleStage } from '../shared/match-path-rules.ts'
import { withRequestBody } from '../shared/request-body.ts'

export const makeBodyTransform: MakeStage = (compileContext) =>
  makeRuleStage(
    compileContext.version.paths.transform,
    compileContext,
    (rule) => compileBodyTemplate(rule, compileContext),
    (template, context) =>
      withRequestBody(context, compileContext.services, (body) => transform(template, body, context, compileContext)),
  )

function transform(
  template: BodyTemplate,
  body: Uint8Array,
  context: RequestContext,
  { services, api }: CompileContext,
): Rejection | undefined {
  // A body with a coding would be sent with the header of that coding and without the coding.
  const coding = body.length === 0 ? undefined : codingProblem(context.outgoing.headers)
  const data = coding === undefined ? template.read(body) : undefined
  if (data === undefined) {
    const reason = coding ?? 'it is neither JSON nor XML, or has too many values'
    services.log.warn('a request body cannot be transformed', { api: api.id, reason })
    return rejections.templateFailed
  }
  const made = template.render(data, context, escapeForBody)
  if (made === undefined) return rejections.templateFailed
  const { outgoing } = context
  outgoing.body = made
  // Content-Length and Content-MD5 describe the body of the client.
  const headers = outgoing.ownHeaders()
  if (headerOf(headers, 'content-length') !== undefined) setHeader(headers, 'content-length', String(made.length))
  removeHeader(headers, 'content-md5')
  return undefined
}
