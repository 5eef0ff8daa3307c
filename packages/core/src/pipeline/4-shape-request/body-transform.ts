/**
 * Replaces the body for the upstream by a rendered template. An invalid body, and one for which the template fails,
 * passes unchanged (docs/reference/transforms.md#body-templates).
 */
import { headerOf, removeHeader, setHeader } from '../../http/headers.ts'
import { escapeForBody } from '../../lib/template/escape-variable.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage } from '../contract/stage.ts'
import { type BodyTemplate, compileBodyTemplate } from '../shared/body-template.ts'
import { makeRuleStage } from '../shared/match-path-rules.ts'
import { withRequestBody } from '../shared/request-body.ts'

export const makeBodyTransform: MakeStage = (compileContext) =>
  makeRuleStage(
    compileContext.version.paths.transform,
    compileContext,
    (rule) => compileBodyTemplate(rule, compileContext),
    (template, context) =>
      withRequestBody(context, compileContext.services, (body) => transform(template, body, context)),
  )

function transform(template: BodyTemplate, body: Uint8Array, context: RequestContext): undefined {
  const data = template.read(body)
  const made = data === undefined ? undefined : template.render(data, context, escapeForBody)
  if (made === undefined) return
  const { outgoing } = context
  outgoing.body = made
  // Content-Length and Content-MD5 describe the body of the client.
  const headers = outgoing.ownHeaders()
  if (headerOf(headers, 'content-length') !== undefined) setHeader(headers, 'content-length', String(made.length))
  removeHeader(headers, 'content-md5')
}
