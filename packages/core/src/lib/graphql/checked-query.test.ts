import { describe, expect, it } from 'vitest'
import { buildSchemaFrom } from './build-schema.ts'
import { chooseOperation, QueryChecker } from './checked-query.ts'
import { writeUpstreamBody } from './upstream-request.ts'
import { checkVariables } from './variables.ts'

const text = `
  directive @own on FIELD
  type Query { ship(id: ID!): Ship ships(first: Int = 3, kind: Kind, near: Place, tags: [String!]): [Ship!]! port: Port any: Any node: Node secret: String }
  type Mutation { rename(id: ID!, name: String!): Ship }
  enum Kind { TUG FERRY } input Place { lat: Float! lon: Float! label: String }
  interface Node { id: ID! } union Any = Ship | Port
  type Ship implements Node { id: ID! name: String port: Port } type Port { name: String ships: [Ship!]! }`
const { schema } = buildSchemaFrom(text)
if (schema === undefined) throw new Error('the schema of the test is not valid')
const checker = new QueryChecker(schema)
const errorOf = (query: string) => checker.check(query).error
const messageOf = (query: string) => errorOf(query)?.message

describe('a query is rejected', () => {
  it.each([
    ['{ port { nam } }', { message: 'field: nam not defined on type: Port', path: ['query', 'port', 'nam'] }],
    ['{ p: port { n: nam } }', { message: 'field: nam not defined on type: Port', path: ['query', 'p', 'n'] }],
    ['{ port }', { message: 'non scalar field: port on type: Query must have selections', path: ['query'] }],
    ['{ any { name } }', { message: 'field: name not defined on type: Any', path: ['query', 'any', 'name'] }],
    ['{ any { ...F } } fragment F on Nope { x }', { message: 'Unknown type "Nope".', path: ['query', 'any'] }],
    ['subscription { x }', { message: 'Unknown type "".', path: ['subscription'] }],
    ['{ port { ...F } }', { message: 'fragment: F undefined', path: ['query', 'port'] }],
    ['{ ship { id } }', { message: 'argument: id is required on field: ship but missing', path: ['query'] }],
    ['{ ship(id: 1, id: 2) { id } }', { message: 'argument: id must be unique', path: ['query', 'ship'] }],
    ['{ port { name @foo } }', { message: 'directive: foo undefined', path: ['query', 'port', 'name'] }],
    ['query A { secret } query A { secret }', { message: 'operation name must be unique: A' }],
    ['fragment F on Query { secret }', { message: "document doesn't contain any executable operation" }],
    [
      '{ ship(id: 1, x: 2) { id } }',
      { message: 'Unknown argument "x" on field "Query.ship".', locations: [{ line: 1, column: 15 }] },
    ],
    [
      '{ ship(id: $id) { id } }',
      {
        message: 'Variable "$id" is not defined by operation ""',
        locations: [{ line: 1, column: 12 }],
        path: ['query', 'ship'],
      },
    ],
    [
      '{ ships(first: "a") { id } }',
      {
        message: 'Validation for variable "a" failed: expected integer or null, but got string',
        locations: [{ line: 0, column: 0 }],
        path: ['query'],
      },
    ],
  ])('%s', (query, error) => expect(errorOf(query)).toEqual(error))

  it('if literals do not fit their type', () => {
    expect(messageOf('{ ships(near: {lat: 1}) { id } }')).toContain("missing properties: 'lon'")
    expect(messageOf('{ ships(near: {lat: 1, lon: 2, x: 3}) { id } }')).toContain(
      "additionalProperties 'x' not allowed",
    )
    expect(messageOf('{ ships(tags: ["a", 2]) { id } }')).toContain('expected string, but got number')
  })

  it('if a variable has a type that does not fit the argument', () => {
    expect(messageOf('query($id: String) { ship(id: $id) { id } }')).toBe(
      'Variable "$id" of type "String" used in position expecting type "ID!".',
    )
  })

  it('if it uses a variable of an unknown type', () => {
    expect(messageOf('query($id: [Nope!]) { ship(id: $id) { id } }')).toBe('Unknown type "Nope".')
  })

  it('if it is not complete or not GraphQL', () => {
    expect(messageOf('{ port { name }')).toMatch(/^unexpected token - got: EOF/)
    for (const query of ['hello world', '{ secret } }', '{ secret("a") }', '{ ship(id: "a) { id } }']) {
      expect(errorOf(query)?.message, query).toMatch(/^unexpected literal - got: UNDEFINED/)
    }
    expect(errorOf('hello world')?.locations).toEqual([{ line: 1, column: 1 }])
    for (const empty of ['', '  ', '# nothing']) expect(messageOf(empty)).toMatch(/executable operation/)
  })
})

describe('a query passes', () => {
  it.each([
    'query A { secret } query B { port { name } }',
    'query($n: Nope) { secret }',
    '{ a: secret a: port { name } }',
    '{ ships(kind: BOAT) { id } }',
    '{ ships(tags: "one") { id } }',
    '{ ship(id: 1) @own { id } }',
    '{ node { id ... on Ship { name } __typename } any { __typename ... on Port { name } } }',
    '{ secret } fragment F on Nope { x }',
  ])('%s', (query) => expect(errorOf(query)).toBeUndefined())
})

describe('a hostile query is bounded', () => {
  it('in its nesting, its tokens and its length', () => {
    expect(messageOf(`${'{ port '.repeat(5000)}`)).toMatch(/nests deeper/)
    expect(messageOf(`{ ${'secret '.repeat(20_000)} }`)).toMatch(/tokens/)
    expect(messageOf(`{ secret } #${'x'.repeat(300_000)}`)).toMatch(/longer/)
  })

  it('with fragments that contain themselves or each other', () => {
    expect(
      messageOf('{ port { ...A } } fragment A on Port { ships { port { ...B } } } fragment B on Port { ...A }'),
    ).toBe('fragment: A contains itself')
  })

  it('with fragments that multiply a short query', () => {
    const doubling = Array.from(
      { length: 40 },
      (_, i) => `fragment F${i} on Query { ...F${i + 1} a${i}: __typename ...F${i + 1} }`,
    )
    // A check that visited every use of a fragment would visit 2^40 and never end.
    expect(messageOf(`{ ...F0 } ${doubling.join(' ')} fragment F40 on Query { secret }`)).toMatch(/too large/)
  })
})

describe('variables', () => {
  const problem = (query: string, values: Record<string, unknown>) => {
    const operation = checker.check(query).query?.operations[0]
    if (operation === undefined) throw new Error('the query of the test is not valid')
    return checkVariables(operation.tree, operation.declared, values)
  }

  it('must be given if they are required and have no default', () => {
    expect(problem('query A($id: ID!) { ship(id: $id) { id } }', {})).toEqual({
      message: 'Required variable "$id" was not provided',
      locations: [{ line: 1, column: 9 }],
      path: ['query'],
    })
    expect(problem('query A($id: ID! = 1) { ship(id: $id) { id } }', {})).toBeUndefined()
  })

  it('must have a fitting type', () => {
    const query = 'query A($n: Int!) { ships(first: $n) { id } }'
    expect(problem(query, { n: 'x' })?.message).toBe(
      'Validation for variable "n" failed: expected integer, but got string',
    )
    expect(problem(query, { n: null })?.message).toContain('expected integer, but got null')
    expect(problem(query, { n: 4 })).toBeUndefined()
  })
})

describe('the query for the upstream', () => {
  const written = (query: string, values?: Record<string, unknown>, name = '') => {
    const { query: checked } = checker.check(query)
    const upstream = checked && chooseOperation(checked, name)?.upstream
    return upstream && JSON.parse(writeUpstreamBody(upstream, values))
  }

  it('has the selected operation only, without blanks and without its name', () => {
    expect(written('query A { secret } query B { port { name } }', undefined, 'B')).toEqual({ query: '{port{name}}' })
    expect(written('{ ...F secret } fragment F on Query { secret port { name } port { ships { id } } }')).toEqual({
      query: '{secret port{name ships{id}}}',
    })
  })

  it('has literals as variables, and only the variables that it uses', () => {
    expect(written('query A($id: ID!, $x: Int) { ship(id: $id) { name } }', { id: 'i', x: 1 })).toEqual({
      variables: { id: 'i' },
      query: 'query($id: ID!){ship(id: $id){name}}',
    })
    expect(written('query($a: Int) { s: ships(first: $a, kind: TUG, tags: ["t"]) { id } }', { a: 1 })).toEqual({
      variables: { a: 1, b: 'TUG', c: ['t'] },
      query: 'query($a: Int, $b: Kind, $c: [String!]){s: ships(first: $a, kind: $b, tags: $c){id}}',
    })
    expect(written('mutation { rename(id: 1, name: "x") { id } }')).toEqual({
      variables: { a: 1, b: 'x' },
      query: 'mutation($a: ID!, $b: String!){rename(id: $a, name: $b){id}}',
    })
  })

  it('has an empty object of variables if the client sent one', () => {
    expect(written('query($x: Int) { ships(first: $x) { id } }', {})).toEqual({
      variables: {},
      query: 'query($x: Int){ships(first: $x){id}}',
    })
    expect(written('{ secret }', { x: 1 })).toEqual({ query: '{secret}' })
  })

  it('keeps fragments on other types and omits fields that the gateway resolves', () => {
    expect(written('{ __typename any { ... on Ship { name } ... on Port { name } } }')).toEqual({
      query: '{any{...on Ship{name} ...on Port{name}}}',
    })
    expect(written('{ __typename }')).toBeUndefined()
    expect(written('{ __schema { queryType { name } } }')).toBeUndefined()
  })
})
