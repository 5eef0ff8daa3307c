/**
 * Rejects requests that do not match their operation in the OpenAPI document: parameters, then the body
 * (docs/reference/openapi-validation.md).
 */

import { extensionOf } from '../../definition/openapi/extension.ts'
import { type DocumentOperation, operationsOf } from '../../definition/openapi/operations.ts'
import { rejections, reword } from '../../http/errors.ts'
import { headerOf } from '../../http/headers.ts'
import { formFields } from '../../lib/form.ts'
import { isOn, type Json, memberOf, numberOf } from '../../lib/json.ts'
import { when } from '../../lib/maybe.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import { cookieOf } from '../2-identify/credential.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage, Outcome } from '../contract/stage.ts'
import { type CheckBody, compileBodyCheck } from '../openapi/check-body.ts'
import { type CheckParameters, compileParameterCheck, type ParameterSource } from '../openapi/check-parameters.ts'
import { DocumentSchemas } from '../openapi/openapi-schema.ts'
import { compilePathRules } from '../shared/match-path-rules.ts'
import { withRequestBody } from '../shared/request-body.ts'

interface Rule {
  readonly template: string
  readonly checkParameters: CheckParameters
  readonly checkBody: CheckBody | undefined
  readonly status: number
}

export const makeValidateRequest: MakeStage = (compileContext) => {
  const document = compileContext.api.oas
  if (document === undefined) return null
  const schemas = new DocumentSchemas(document)
  const find = compilePathRules(
    rulesOf(document, compileContext.services.settings.vendor),
    compileContext,
    ({ rule }) => compileRule(rule, schemas),
  )
  if (find === null) return null
  const reject = ({ status }: Rule, reason: string | undefined): Outcome =>
    reason === undefined
      ? undefined
      : reword(rejections.bodyInvalid, { status, message: `request validation error: ${reason}` })
  return {
    name: 'validate-request',
    phase: '4-shape-request',
    run(context) {
      const rule = find(context)
      if (rule === undefined) return undefined
      const { checkParameters, checkBody, template } = rule
      return when(checkParameters(sourceOf(context, template)), (wrong) => {
        if (wrong !== undefined || checkBody === undefined) return reject(rule, wrong)
        const contentType = headerOf(context.request.headers, 'content-type') ?? ''
        return withRequestBody(context, compileContext.services, (body) =>
          when(checkBody(body, contentType), (reason) => reject(rule, reason)),
        )
      })
    },
  }
}

interface OperationRule {
  readonly operation: DocumentOperation
  readonly status: number
}

function compileRule({ operation, status }: OperationRule, schemas: DocumentSchemas): Rule {
  return {
    template: operation.path,
    checkParameters: compileParameterCheck(operation, schemas),
    checkBody: compileBodyCheck(operation.operation, schemas),
    status,
  }
}

function rulesOf(document: Json, vendor: string) {
  const middleware = memberOf(extensionOf(document, vendor), 'middleware', 'operations')
  return operationsOf(document).flatMap((operation) => {
    const part = operation.id === '' ? undefined : memberOf(middleware, operation.id, 'validateRequest')
    if (!isOn(part)) return []
    const status = numberOf(memberOf(part, 'errorResponseCode')) || 422
    return [{ path: operation.path, method: operation.method, rule: { operation, status } }]
  })
}

/** Reads parameters. Path variables are whole segments of the template, counted from the listen path. */
function sourceOf({ path, request }: RequestContext, template: string): ParameterSource {
  const names = template.split('/')
  const values = path.split('/')
  const query = request.query === '' ? undefined : formFields(request.query)
  return {
    path(name) {
      const value = values[names.indexOf(`{${name}}`)]
      return value === undefined || value === '' ? undefined : decodePercent(value)
    },
    query: (name) => query?.get(name) ?? [],
    header: (name) => headerOf(request.headers, name),
    cookie: (name) => cookieOf(request, name) || undefined,
  }
}
