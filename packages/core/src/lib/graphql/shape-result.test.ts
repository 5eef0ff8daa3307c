import { buildClientSchema, getIntrospectionQuery } from 'graphql'
import { describe, expect, it } from 'vitest'
import { buildSchemaFrom } from './build-schema.ts'
import { QueryChecker } from './checked-query.ts'
import { introspect } from './introspect.ts'
import { shapeResult } from './shape-result.ts'

const { schema } = buildSchemaFrom(`
  type Query { port: Port ships: [Ship!]! any: Any secret: String loose: Loose }
  union Any = Ship | Port scalar Loose
  type Ship { id: ID! name: String } type Port { name: String ships: [Ship!]! }`)
if (schema === undefined) throw new Error('the schema of the test is not valid')
const checker = new QueryChecker(schema)

function checkedOf(text: string) {
  const { query, error } = checker.check(text)
  const operation = query?.operations[0]
  if (query === undefined || operation === undefined) throw new Error(error?.message)
  return { query, ...operation }
}

function shaped(text: string, body: unknown, more: object = {}): unknown {
  const response = { body, introspected: {}, variables: {}, forwardsErrors: false, ...more }
  return JSON.parse(shapeResult(checkedOf(text).tree, checker.schema, response))
}

describe('a response of the engine form', () => {
  it('has exactly the selected fields, and null for missing ones', () => {
    const body = { data: { port: { name: 'Oslo', depth: 9 }, tide: 1 }, extensions: { cost: 3 } }
    expect(shaped('{ port { name } secret }', body)).toEqual({ data: { port: { name: 'Oslo' }, secret: null } })
    expect(shaped('{ port { name } }', undefined)).toEqual({ data: { port: null } })
  })

  it('has the errors of the upstream, with its whole body if the definition says so', () => {
    const body = { errors: [{ message: 'aground' }] }
    expect(shaped('{ secret }', body)).toEqual({ errors: [{ message: 'aground' }], data: { secret: null } })
    expect(shaped('{ secret }', body, { forwardsErrors: true })).toEqual({
      errors: [{ message: 'aground', extensions: body }],
      data: { secret: null },
    })
  })

  it('passes null up to the next value that may be null', () => {
    expect(shaped('{ port { ships { id } } }', { data: { port: { ships: [{ id: null }] } } })).toEqual({
      data: { port: null },
    })
    expect(shaped('{ ships { id } }', { data: {} })).toEqual({
      errors: [{ message: 'unable to resolve', locations: [{ line: 1, column: 3 }] }],
      data: null,
    })
  })

  it('knows the types of objects in unions by their names', () => {
    const query = '{ any { __typename ... on Ship { id } ... on Port { name } } }'
    expect(shaped(query, { data: { any: { __typename: 'Port', name: 'Oslo', id: 1 } } })).toEqual({
      data: { any: { __typename: 'Port', name: 'Oslo' } },
    })
    expect(shaped('{ any { ... on Ship { id } ... on Port { name } } }', { data: { any: { name: 'O' } } })).toEqual({
      data: { any: { name: 'O' } },
    })
  })

  it('keeps values of own scalars, and leaves out skipped fields', () => {
    expect(shaped('{ loose secret }', { data: { loose: { a: [1] }, secret: { a: 1 } } })).toEqual({
      data: { loose: { a: [1] }, secret: null },
    })
    const query = 'query($on: Boolean!) { secret @include(if: $on) port @skip(if: true) { name } }'
    expect(shaped(query, { data: {} }, { variables: { on: false } })).toEqual({ data: {} })
  })
})

describe('introspection', () => {
  const answered = (text: string) => {
    const { tree, query } = checkedOf(text)
    return introspect(tree, query.fragments, checker.schema, {})
  }

  it('honours the selection, aliases and fragments', () => {
    expect(answered('{ q: __schema { ...F } } fragment F on __Schema { queryType { name } }').data).toEqual({
      q: { queryType: { name: 'Query' } },
    })
    expect(answered('{ __type(name: "Ship") { fields { name } } }').data).toEqual({
      __type: { fields: [{ name: 'id' }, { name: 'name' }] },
    })
  })

  it('responds to the standard introspection query', () => {
    const { data } = answered(getIntrospectionQuery())
    expect(buildClientSchema(data as never).getQueryType()?.name).toBe('Query')
  })

  it('is bounded in its depth and its work', () => {
    const nested =
      '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }'
    expect(answered(nested).error?.message).toMatch(/depth/)
    const inner = '__schema { types { name fields { name args { name } type { name kind } } } }'
    const many = Array.from({ length: 450 }, (_, i) => `a${i}: ${inner}`)
    expect(answered(`{ ${many.join(' ')} }`).error?.message).toMatch(/too large/)
  })
})
