/**
 * Responds instead of the upstream as the OpenAPI document configures: with a fixed response or an example. Runs after
 * keys, limits and transforms and before the cache (docs/reference/openapi-mocks.md#openapi-mocks).
 */

import { extensionOf } from '../../definition/openapi/extension.ts'
import { type DocumentOperation, operationsOf } from '../../definition/openapi/operations.ts'
import { rejections, reword } from '../../http/errors.ts'
import { headerOf } from '../../http/headers.ts'
import { isOn, type Json, listOf, memberOf, numberOf, textOf } from '../../lib/json.ts'
import { makeMockResponse } from '../1-accept/mock-response.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage, Outcome } from '../contract/stage.ts'
import { type ExampleRequest, exampleRequestOf, exampleResponseOf } from '../openapi/example-response.ts'
import { compilePathRules } from '../shared/match-path-rules.ts'

type Mock = (context: RequestContext) => Outcome

export const makeMockFromDocument: MakeStage = (compileContext) => {
  const document = compileContext.api.oas
  if (document === undefined) return null
  const { vendor } = compileContext.services.settings
  const middleware = memberOf(extensionOf(document, vendor), 'middleware', 'operations')
  const rules = operationsOf(document).flatMap((operation) => {
    const part = operation.id === '' ? undefined : memberOf(middleware, operation.id, 'mockResponse')
    if (!isOn(part)) return []
    return [{ path: operation.path, method: operation.method, mock: makeMock(document, operation, part, vendor) }]
  })
  const find = compilePathRules(rules, compileContext, ({ mock }) => mock)
  if (find === null) return null
  return {
    name: 'mock-from-document',
    phase: '5-respond',
    run: (context) => find(context)?.(context),
  }
}

function makeMock(document: Json, { operation }: DocumentOperation, part: unknown, vendor: string): Mock {
  const examples = memberOf(part, 'fromOASExamples')
  if (!isOn(examples)) {
    const headers = listOf(memberOf(part, 'headers')).map((header): [string, string] => [
      textOf(memberOf(header, 'name')),
      textOf(memberOf(header, 'value')),
    ])
    const [code, body] = [numberOf(memberOf(part, 'code')) || 200, textOf(memberOf(part, 'body'))]
    return makeMockResponse({ code, body, headers: Object.fromEntries(headers) })
  }
  const byDefault = exampleRequestOf(examples)
  const prefix = `x-${vendor.toLowerCase()}-accept-example-`
  return ({ request }) => {
    const found = exampleResponseOf(document, operation, exampleRequestIn(request.headers, prefix, byDefault))
    if (typeof found === 'string') return reword(rejections.mockMissing, { message: found })
    return makeMockResponse(found)()
  }
}

/** Clients may select the example by headers. */
function exampleRequestIn(headers: string[], prefix: string, byDefault: ExampleRequest): ExampleRequest {
  const code = Number(headerOf(headers, `${prefix}code`))
  const [contentType = byDefault.contentType, ...otherTypes] = acceptedTypes(headers, byDefault.contentType)
  return {
    code: Number.isInteger(code) && code > 0 ? code : byDefault.code,
    contentType,
    otherTypes,
    exampleName: headerOf(headers, `${prefix}name`) ?? byDefault.exampleName,
  }
}

/** Returns the types in the order of `Accept`. A wildcard selects the default type. */
function acceptedTypes(headers: string[], byDefault: string): string[] {
  const ranges = (headerOf(headers, 'accept') ?? '').split(',').map((range) => range.replace(/;.*$/s, '').trim())
  return ranges.filter((range) => range !== '').map((range) => (range.includes('*') ? byDefault : range))
}
