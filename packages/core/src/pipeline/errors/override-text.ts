/** The texts that a rule of `error_overrides` gives (docs/reference/error-responses.md#override-response). */
import type { OverrideRule } from '../../definition/error-override-rules.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import type { ErrorFormat, ErrorValues, RejectionRenderer } from '../contract/rejection-renderer.ts'
import { escapeFor, mediaTypeOf } from './render-rejections.ts'

/** Format and content type of a body that a rule gives. Here `application/soap+xml` counts as JSON, as recorded. */
export function formatFor(request: GatewayRequest): { readonly format: ErrorFormat; readonly contentType: string } {
  const type = mediaTypeOf(request)
  if (type === 'application/xml' || type === 'text/xml') return { format: 'xml', contentType: type }
  return { format: 'json', contentType: 'application/json' }
}

/** `body`, or the template file; `undefined`: the rule has neither. */
export function textOfRule(
  rule: OverrideRule,
  values: ErrorValues,
  format: ErrorFormat,
  { templates }: RejectionRenderer,
): string | undefined {
  if (rule.body !== '') return rule.bodyTemplate === undefined ? rule.body : rendered(rule, values, format)
  if (rule.templateName === '') return undefined
  return templates.named(rule.templateName, format)?.(values)
}

/** Returns the template itself if it fails on these values. */
function rendered({ body, bodyTemplate }: OverrideRule, values: ErrorValues, format: ErrorFormat): string {
  const data = {
    StatusCode: values.status,
    Message: escapeFor(format, values.message),
    InvalidParams: escapeFor(format, values.invalidParams ?? ''),
  }
  const result = bodyTemplate?.render(data, { noValue: '' })
  return result?.problem === undefined ? (result?.text ?? body) : body
}
