/**
 * Rejects requests that do not match their operation in the OpenAPI document: parameters, then the body
 * (docs/reference/openapi-validation.md).
 */

import type { DocumentOperation } from '../../definition/openapi/operations.ts'
import { isFinalStatus } from '../../http/final-status.ts'
import { cookieOf, headerOf, headersOf, setHeader } from '../../http/headers.ts'
import { rejections, reword } from '../../http/rejections.ts'
import { type FormFields, formFields } from '../../lib/form.ts'
import { memberOf, numberOf, textOf } from '../../lib/json.ts'
import { when } from '../../lib/maybe.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage, Outcome } from '../contract/stage.ts'
import {
  type CheckBody,
  type CheckParameters,
  compileBodyCheck,
  compileParameterCheck,
} from '../openapi/check-request.ts'
import { DocumentSchemas } from '../openapi/openapi-schema.ts'
import { compileOperationRules } from '../openapi/operation-rules.ts'
import type { ParameterSource } from '../openapi/parameter-style.ts'
import { pathValueReader } from '../openapi/path-segment.ts'
import { withRequestBody } from '../shared/request-body.ts'

interface Checks {
  readonly checkParameters: CheckParameters
  readonly checkBody: CheckBody | undefined
  readonly readPath: (name: string, path: string) => string | undefined
}

interface Rule {
  readonly checks: () => Checks
  /** Status of rejections; 0: the rule names none. */
  readonly namedStatus: number
}

function compileChecks(operation: DocumentOperation, schemas: DocumentSchemas): Checks {
  return {
    checkParameters: compileParameterCheck(operation, schemas),
    checkBody: compileBodyCheck(operation.operation, schemas),
    readPath: pathReaderOf(operation),
  }
}

export const makeValidateRequest: MakeStage = (compileContext) => {
  const document = compileContext.api.oas
  if (document === undefined) return null
  const schemas = new DocumentSchemas(document)
  const make = (operation: DocumentOperation, part: unknown): Rule => {
    // Like the schemas, checks are compiled at their first use, because documents can have thousands of operations.
    let checks: Checks | undefined
    return {
      checks: () => {
        checks ??= compileChecks(operation, schemas)
        return checks
      },
      namedStatus: numberOf(memberOf(part, 'errorResponseCode')),
    }
  }
  const find = compileOperationRules('validateRequest', compileContext, make)
  if (find === null) return null
  return {
    run(context) {
      const choice = find(context)
      if (choice === undefined) return undefined
      if (choice.unfit !== undefined) return rejectUnfit(choice.unfit)
      const { use: rule } = choice
      const { checkParameters, checkBody, readPath } = rule.checks()
      joinHeaders(context)
      return when(checkParameters(sourceOf(context, readPath)), (wrong) => {
        if (wrong !== undefined || checkBody === undefined) return reject(rule.namedStatus, wrong)
        return withRequestBody(context, compileContext.services, (body) =>
          when(checkBody(body, context.request.headers), (reason) => reject(rule.namedStatus, reason)),
        )
      })
    },
  }
}

function reject(namedStatus: number, reason: string | undefined): Outcome {
  if (reason === undefined) return undefined
  const message = `request validation error: ${reason}`
  return reword(rejections.bodyInvalid, { ...(isFinalStatus(namedStatus) ? { status: namedStatus } : {}), message })
}

/** The first status that one of the candidates names applies. */
function rejectUnfit(candidates: readonly Rule[]): Outcome {
  const named = candidates.find(({ namedStatus }) => namedStatus !== 0)
  return reject(named?.namedStatus ?? 0, "path parameter doesn't match any endpoint")
}

/** Joins the lines of each header to one, for the check and for the upstream. */
function joinHeaders({ outgoing }: RequestContext): void {
  const names = outgoing.headers.filter((_, i) => i % 2 === 0)
  if (new Set(names).size === names.length) return
  const headers = outgoing.ownHeaders()
  for (const name of new Set(names)) {
    const values = headersOf(headers, name)
    if (values.length > 1) setHeader(headers, name, values.join(name === 'cookie' ? '; ' : ','))
  }
}

/** Reads parameters of a request; headers as `joinHeaders` left them. */
function sourceOf({ path, request, outgoing }: RequestContext, readPath: Checks['readPath']): ParameterSource {
  let fields: FormFields | undefined
  const query = () => {
    fields ??= formFields(request.query)
    return fields
  }
  return {
    path: (name) => readPath(name, path),
    query: (name) => (request.query === '' ? [] : (query().get(name) ?? [])),
    fields: query,
    header: (name) => headerOf(outgoing.headers, name),
    cookie: (name) => cookieOf(outgoing.headers, name) || undefined,
  }
}

/** Reads the path parameters of an operation. */
function pathReaderOf({ path, parameters }: DocumentOperation): Checks['readPath'] {
  const names = parameters.filter((parameter) => parameter['in'] === 'path').map(({ name }) => textOf(name))
  const readers = new Map(names.map((name) => [name, pathValueReader(path, name)]))
  return (name, at) => readers.get(name)?.(at)
}
