/**
 * Responds instead of the upstream as the OpenAPI document configures: with a fixed response or an example. Runs after
 * keys, limits and transforms and before the cache (docs/reference/openapi-mocks.md#openapi-mocks).
 */

import type { DocumentOperation } from '../../definition/openapi/operations.ts'
import { headerOf } from '../../http/headers.ts'
import { rejections, reword } from '../../http/rejections.ts'
import { isOn, type Json, listOf, memberOf, numberOf, textOf } from '../../lib/json.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage, Outcome } from '../contract/stage.ts'
import { type ExampleRequest, exampleRequestOf, exampleResponseOf } from '../openapi/example-response.ts'
import { compileOperationRules } from '../openapi/operation-rules.ts'
import { makeMockResponse } from '../shared/mock-response.ts'

type Mock = (context: RequestContext) => Outcome

export const makeMockFromDocument: MakeStage = (compileContext) => {
  const { oas: document = {} } = compileContext.api
  const { vendor } = compileContext.services.settings
  const make = (operation: DocumentOperation, part: unknown) => makeMock(document, operation, part, vendor)
  const find = compileOperationRules('mockResponse', compileContext, make)
  if (find === null) return null
  return {
    run(context) {
      const choice = find(context)
      // A request that fits no candidate goes to the upstream.
      return choice === undefined || choice.unfit !== undefined ? undefined : choice.use(context)
    },
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
  const isTypeFree = textOf(memberOf(examples, 'contentType')) === ''
  const prefix = `x-${vendor.toLowerCase()}-accept-example-`
  return ({ request }) => {
    const wanted = exampleRequestIn(request.headers, prefix, { ...byDefault, acceptsOnlyType: isTypeFree })
    const found = typeof wanted === 'string' ? wanted : exampleResponseOf(document, operation, wanted)
    if (typeof found !== 'string') return makeMockResponse(found)()
    return reword(rejections.mockMissing, { message: `failed to mock response: mock: ${found}` })
  }
}

/** Clients may select the example by headers. Returns an error text if the code in the header is not a number. */
function exampleRequestIn(headers: string[], prefix: string, byDefault: ExampleRequest): ExampleRequest | string {
  const code = headerOf(headers, `${prefix}code`) ?? ''
  if (code !== '' && !/^[+-]?\d{1,18}$/.test(code)) return `given code ${code} is not a valid integer value`
  const accept = headerOf(headers, 'accept') ?? ''
  const [contentType = byDefault.contentType, ...otherTypes] = acceptedTypes(accept, byDefault.contentType)
  return {
    code: code === '' ? byDefault.code : Number(code),
    contentType,
    otherTypes,
    acceptsOnlyType: byDefault.acceptsOnlyType === true && (accept === '' || accept.includes('*')),
    exampleName: headerOf(headers, `${prefix}name`) || byDefault.exampleName,
  }
}

/**
 * Returns the types by their weight in `Accept`, those of one weight in the order of the header; 0 excludes a type
 * (RFC 9110, section 12.4.2). A wildcard selects the default type.
 */
function acceptedTypes(accept: string, byDefault: string): string[] {
  const ranges = accept.split(',').map((range) => {
    const weight = /;\s*q=([01](?:\.\d{0,3})?)\s*(?:;|$)/i.exec(range)?.[1]
    return { type: range.replace(/;.*$/s, '').trim(), weight: weight === undefined ? 1 : Number(weight) }
  })
  const wanted = ranges.filter(({ type, weight }) => type !== '' && weight !== 0)
  wanted.sort((a, b) => b.weight - a.weight)
  return wanted.map(({ type }) => (type.includes('*') ? byDefault : type))
}
