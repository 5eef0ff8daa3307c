/**
 * Error responses replaced by rules of the definition and of the configuration. They apply to errors of the gateway here,
 * and to responses of the upstream in `6-shape-response/override-upstream-errors.ts`.
 * Source: docs/reference/error-responses.md#error-overrides.
 */
import { type OverrideRule, type OverrideRules, readErrorOverrides } from '../../definition/error-override-rules.ts'
import type { ErrorOverridesDocument } from '../../definition/error-overrides-shape.ts'
import { setHeader } from '../../http/headers.ts'
import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import type { Log } from '../../ports/log.ts'
import type { ErrorFormat, ErrorValues, RejectionRenderer } from '../contract/rejection-renderer.ts'
import type { CompileContext } from '../contract/stage.ts'
import { fitsRejection, makeRulesFor } from './find-rule.ts'
import { escapeFor, mediaTypeOf } from './render-rejections.ts'

/** Renders a rejection, replaced if a rule applies. */
export type RenderRejection = (rejection: Rejection, request: GatewayRequest) => GatewayResponse

/** The rules of the configuration, read once per gateway. */
export function readGatewayOverrides(document: ErrorOverridesDocument = null, log: Log): OverrideRules {
  const rules = readErrorOverrides(document)
  for (const { path, message } of rules.problems) {
    log.warn('a rule of error_overrides in the configuration is ignored', { rule: path.join('.'), reason: message })
  }
  return rules
}

/** Rules by their document: several stages and versions of an API use the same ones. */
const rulesRead = new WeakMap<object, OverrideRules>()

/** The rules of an API and of its gateway; empty if there are none. */
export function overridesOf({ api, services }: CompileContext): readonly OverrideRules[] {
  const { errorOverrides, errorOverridesDisabled } = api.document
  const own =
    errorOverrides === null || errorOverridesDisabled ? undefined : ownRules(errorOverrides, api.id, services.log)
  return [own, services.errorOverrides].filter(
    (rules) => rules !== undefined && rules.byStatus.size > 0,
  ) as OverrideRules[]
}

function ownRules(document: NonNullable<ErrorOverridesDocument>, apiId: string, log: Log): OverrideRules {
  const known = rulesRead.get(document)
  if (known !== undefined) return known
  const rules = readErrorOverrides(document)
  rulesRead.set(document, rules)
  for (const { path, message } of rules.problems) {
    log.warn('a rule of error_overrides is ignored', { api: apiId, rule: path.join('.'), reason: message })
  }
  return rules
}

export function makeApiRejectionRenderer(compileContext: CompileContext): RenderRejection {
  const { errors } = compileContext.services
  const sources = overridesOf(compileContext)
  if (sources.length === 0) return errors.render
  const rulesFor = makeRulesFor(sources)
  return (rejection, request) => {
    const given = errors.reworded(rejection)
    const rule = rulesFor(given.status).find((one) => fitsRejection(one, given))
    return rule === undefined ? errors.render(rejection, request) : replaced(rule, given, request, errors)
  }
}

function replaced(
  rule: OverrideRule,
  given: Rejection,
  request: GatewayRequest,
  errors: RejectionRenderer,
): GatewayResponse {
  const status = rule.status === 0 ? given.status : rule.status
  const message = rule.message === '' ? given.message : rule.message
  const { plain, ...rest } = given
  // Another code, so that `override_messages` does not apply twice. A message of the rule takes the layout of errors.
  const changed = { ...rest, status, message, code: 'overridden' }
  const response = errors.render(plain && rule.message === '' ? { ...changed, plain } : changed, request)
  const { format, contentType } = formatFor(request)
  const values = { status, message: rule.message, invalidParams: invalidParamsOf(given) }
  const text = textOfRule(rule, values, format, errors)
  if (text !== undefined) {
    setHeader(response.headers, 'content-type', contentType)
    response.body = text
  }
  for (const [name, value] of rule.headers) {
    if (text !== undefined || name !== 'content-type') setHeader(response.headers, name, value)
  }
  return response
}

/** What validation found; empty for other errors. */
function invalidParamsOf({ code, message }: Rejection): string {
  const isOfValidation = code === rejections.bodyInvalid.code || code === rejections.bodyNotJson.code
  return isOfValidation ? message.replace(/^request validation error: /, '') : ''
}

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
