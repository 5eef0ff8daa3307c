import { describe, expect, it } from 'vitest'
import { operationsOf } from '../../definition/openapi/operations.ts'
import type { Json } from '../../lib/json.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import { checkBody } from './check-body.ts'
import { checkParameters } from './check-parameters.ts'
import { checkValue, printProblem } from './check-value.ts'

const told = (value: unknown, schema: Json, document: Json = {}) => {
  const problem = checkValue(value, schema, document)
  return problem === undefined ? undefined : printProblem(problem)
}

describe('a value', () => {
  it.each([
    ['x', { type: 'integer' }, 'value must be an integer'],
    [{}, { required: ['name'] }, 'Error at "/name": property "name" is missing'],
    [{ a: [1, 'x'] }, { properties: { a: { items: { type: 'number' } } } }, 'Error at "/a/1": value must be a number'],
    [{ b: 1 }, { additionalProperties: false }, 'property "b" is unsupported'],
    [5, { minimum: 6 }, 'number must be at least 6'],
    [5, { type: 'integer', exclusiveMaximum: 5 }, 'number must be less than 5'],
    ['abc', { pattern: '^b' }, 'string doesn\'t match the regular expression "^b"'],
    ['c', { enum: ['a', 'b'] }, 'value is not one of the allowed values ["a","b"]'],
    [null, { type: 'string' }, 'Value is not nullable'],
    [null, { type: 'string', nullable: true }, undefined],
    [null, { type: ['string', 'null'] }, undefined],
    [0.3, { multipleOf: 0.1 }, undefined],
    [1, { oneOf: [{ type: 'integer' }, { type: 'number' }] }, 'value must match exactly one schema from "oneOf"'],
  ])('%j against %j: %s', (value, schema, reason) => {
    expect(told(value, schema)).toBe(reason)
  })

  it('is measured by schemas that refer to themselves, as deep as it goes', () => {
    const document = {
      components: {
        schemas: { Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } } },
      },
    }
    const schema = { $ref: '#/components/schemas/Node' }
    expect(told({ next: { next: 1 } }, schema, document)).toBe('Error at "/next/next": value must be an object')
    expect(told(1, { $ref: '#/nowhere' })).toBe('the schema cannot be followed')
  })
})

const document: Json = {
  paths: {
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        parameters: [
          { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'boolean' } } },
          { name: 'X-Trace', in: 'header', required: true, schema: { type: 'string' } },
        ],
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } }, required: true },
      },
    },
  },
}
const [operation] = operationsOf(document)
if (operation === undefined) throw new Error('no operation')
const source = (more: { id?: string; tags?: string[]; trace?: string }) => ({
  path: () => more.id ?? '7',
  query: () => more.tags ?? [],
  header: () => more.trace,
  cookie: () => undefined,
})

describe('parameters', () => {
  it.each([
    [{ trace: 't' }, undefined],
    [{}, 'parameter "X-Trace" in header has an error: value is required but missing'],
    [{ id: 'abc' }, 'parameter "id" in path has an error: value abc: an invalid integer: invalid syntax'],
    [{ trace: '' }, 'parameter "X-Trace" in header has an error: empty value is not allowed'],
    [{ tags: ['true', '1'] }, 'parameter "tags" in query has an error: value 1: an invalid boolean: invalid syntax'],
  ])('%j: %s', (given, reason) => {
    expect(checkParameters(operation, source(given), document)).toBe(reason)
  })
})

describe('a body', () => {
  it.each([
    ['{}', 'application/json; charset=utf-8', undefined],
    ['', 'application/json', 'value is required but missing'],
    ['[]', 'application/json', "doesn't match schema: value must be an object"],
    ['x', 'text/plain', 'header Content-Type has unexpected value "text/plain"'],
  ])('%j as %s: %s', (text, type, reason) => {
    const said = checkBody(operation.operation, utf8Bytes(text), type, document)
    expect(said).toBe(reason === undefined ? undefined : `request body has an error: ${reason}`)
  })
})
