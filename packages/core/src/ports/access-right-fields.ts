/**
 * The GraphQL and MCP fields of an access right. Sessions store them as they are written, because a value of a wrong type
 * must close the API and not the session; these shapes describe them.
 * Source: docs/reference/graphql.md#type-rights, docs/reference/mcp-proxies.md#key-rights.
 */
import { anyList, anyObject, describedValue, wordOf } from '../lib/shape/free-value.ts'
import { field, integer, list, number, object, optional, type Shape, text } from '../lib/shape/shape.ts'

const typeFieldsShape = object({
  name: field(text, { description: 'Name of the GraphQL type.' }),
  fields: field(list(text), { description: 'Fields of the type; * stands for all.' }),
})

const fieldDepthShape = object({
  typeName: field(text, { description: 'Query, Mutation or Subscription.' }),
  fieldName: field(text, { description: 'The root field.' }),
  limits: object({
    maxQueryDepth: field(integer, { description: 'Depth below the field; -1: no limit.' }),
  }),
})

const rateShape = object({
  rate: field(number, { description: 'Number of calls in `per` seconds; 0: no limit.' }),
  per: field(number, { description: 'Number of seconds of the rate limit.' }),
})

const methodRateShape = object({
  name: field(text, { description: 'Method of JSON-RPC, such as tools/list.' }),
  limit: rateShape,
})

const primitiveRateShape = object({
  type: field(wordOf('tool', 'resource', 'prompt'), { description: 'tool, resource or prompt.' }),
  name: field(text, { description: 'Name of the tool or prompt, URI of the resource.' }),
  limit: rateShape,
})

const namesShape = object({
  allowed: field(list(text), { description: 'Regular expressions of the names that may be used. Empty: all.' }),
  blocked: field(list(text), { description: 'Regular expressions of names that may not be used. They win.' }),
})

const primitiveNamesShape = object({ tools: namesShape, resources: namesShape, prompts: namesShape })

export const typeRights: Shape<unknown> = describedValue(anyList, list(typeFieldsShape))
export const fieldDepths: Shape<unknown> = describedValue(anyList, list(fieldDepthShape))
export const methodRates: Shape<unknown> = describedValue(anyList, list(methodRateShape))
export const methodNames: Shape<unknown> = describedValue(anyObject, optional(namesShape))
export const primitiveRates: Shape<unknown> = describedValue(anyList, list(primitiveRateShape))
export const primitiveNames: Shape<unknown> = describedValue(anyObject, optional(primitiveNamesShape))
