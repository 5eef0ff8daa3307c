/**
 * The GraphQL and MCP fields of an access right. Sessions store them as they are written, because a value of a wrong type
 * must close the API and not the session; these shapes describe them.
 * Source: docs/reference/graphql.md#type-rights, docs/reference/mcp-proxies.md#key-rights.
 */
import { anyList, anyObject, describedValue, wordOf } from '../lib/shape/free-value.ts'
import { described, integer, list, number, object, optional, type Shape, text } from '../lib/shape/shape.ts'

const typeFieldsShape = object({
  name: described('Name of the GraphQL type.', text),
  fields: described('Fields of the type; * stands for all.', list(text)),
})

const fieldDepthShape = object({
  typeName: described('Query, Mutation or Subscription.', text),
  fieldName: described('The root field.', text),
  limits: object({
    maxQueryDepth: described('Depth below the field; -1: no limit.', integer),
  }),
})

const rateShape = object({
  rate: described('Number of calls in `per` seconds; 0: no limit.', number),
  per: described('Number of seconds of the rate limit.', number),
})

const methodRateShape = object({
  name: described('Method of JSON-RPC, such as tools/list.', text),
  limit: rateShape,
})

const primitiveRateShape = object({
  type: described('tool, resource or prompt.', wordOf('tool', 'resource', 'prompt')),
  name: described('Name of the tool or prompt, URI of the resource.', text),
  limit: rateShape,
})

const namesShape = object({
  allowed: described('Regular expressions of the names that may be used. Empty: all.', list(text)),
  blocked: described('Regular expressions of names that may not be used. They win.', list(text)),
})

const primitiveNamesShape = object({ tools: namesShape, resources: namesShape, prompts: namesShape })

export const typeRights: Shape<unknown> = describedValue(anyList, list(typeFieldsShape))
export const fieldDepths: Shape<unknown> = describedValue(anyList, list(fieldDepthShape))
export const methodRates: Shape<unknown> = describedValue(anyList, list(methodRateShape))
export const methodNames: Shape<unknown> = describedValue(anyObject, optional(namesShape))
export const primitiveRates: Shape<unknown> = describedValue(anyList, list(primitiveRateShape))
export const primitiveNames: Shape<unknown> = describedValue(anyObject, optional(primitiveNamesShape))
