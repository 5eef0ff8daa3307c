import { describe, expect, it } from 'vitest'
import { buildSchemaFrom } from '../../lib/graphql/build-schema.ts'
import { QueryChecker } from '../../lib/graphql/checked-query.ts'
import { checkGraphqlRights, type GraphqlRights } from './check-graphql-rights.ts'

const { schema } = buildSchemaFrom(`
  type Query { port: Port ships: [Ship!]! secret: String }
  type Ship { id: ID! name: String } type Port { name: String ships: [Ship!]! }`)
if (schema === undefined) throw new Error('the schema of the test is not valid')
const checker = new QueryChecker(schema)

describe('the limits of a key', () => {
  const open: GraphqlRights = {
    maxDepth: 0,
    fieldDepths: new Map(),
    allowed: undefined,
    restricted: new Map(),
    mayIntrospect: true,
  }
  const problem = (text: string, rights: Partial<GraphqlRights>) => {
    const { query, error } = checker.check(text)
    if (query === undefined) throw new Error(error?.message)
    return checkGraphqlRights(
      query.operations.map(({ tree }) => tree),
      { ...open, ...rights },
    )
  }
  const lists = (...entries: [string, string[]][]) => new Map(entries.map(([name, fields]) => [name, new Set(fields)]))

  it('count the depth with fragments and __typename, but not pure introspection', () => {
    expect(problem('{ port { name } }', { maxDepth: 1 })).toEqual({ kind: 'depth' })
    expect(problem('{ ...F } fragment F on Query { port { __typename } }', { maxDepth: 1 })).toEqual({ kind: 'depth' })
    expect(problem('{ port { name } }', { maxDepth: 2 })).toBeUndefined()
    expect(problem('{ __schema { queryType { name } } }', { maxDepth: 1 })).toBeUndefined()
  })

  it('apply to each root field separately if fields have limits', () => {
    const fieldDepths = new Map([['Query.port', 1]])
    expect(problem('{ port { name } }', { fieldDepths, maxDepth: 0 })).toBeUndefined()
    expect(problem('{ port { ships { id } } }', { fieldDepths, maxDepth: -1 })).toEqual({ kind: 'depth' })
    expect(problem('{ secret }', { fieldDepths, maxDepth: 0 })).toEqual({ kind: 'depth' })
    expect(problem('{ secret }', { fieldDepths, maxDepth: -1 })).toBeUndefined()
  })

  it('restrict fields of every operation with any alias', () => {
    const restricted = lists(['Port', ['name']], ['Ship', ['*']])
    expect(problem('{ p: port { n: name } }', { restricted })).toEqual({
      kind: 'field',
      message: 'field: name is restricted on type: Port',
    })
    expect(problem('query A { secret } query B { ships { id } }', { restricted })).toEqual({
      kind: 'field',
      message: 'all fields of Ship type are restricted',
    })
  })

  it('do not exempt fields beside introspection', () => {
    const allowed = lists(['Query', ['port']])
    const query = '{ __schema { queryType { name } } secret }'
    expect(problem(query, { allowed })).toMatchObject({ kind: 'field' })
    expect(problem(query, { mayIntrospect: false })).toEqual({ kind: 'introspection' })
  })
})
