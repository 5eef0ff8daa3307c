import { describe, expect, it } from 'vitest'
import { makeGraphqlRights } from './graphql-rights.ts'

const none = { allowedTypes: null, restrictedTypes: null, fieldAccessRights: null, disableIntrospection: false }

describe('rights on a GraphQL API', () => {
  it('are absent if a key has no limits on queries', () => {
    expect(makeGraphqlRights(none, 0)).toBeUndefined()
    expect(
      makeGraphqlRights({ ...none, allowedTypes: [], restrictedTypes: [{ name: 'Port', fields: [] }] }, -1),
    ).toEqual({
      maxDepth: -1,
      fieldDepths: new Map(),
      allowed: undefined,
      restricted: new Map([['Port', new Set()]]),
      mayIntrospect: true,
    })
  })

  it('hold lists of types and depths of fields', () => {
    const access = makeGraphqlRights(
      {
        ...none,
        allowedTypes: [{ name: 'Query', fields: ['a', 'b'] }],
        fieldAccessRights: [{ type_name: 'Query', field_name: 'a', limits: { max_query_depth: 2 } }],
      },
      3,
    )
    expect(access?.allowed).toEqual(new Map([['Query', new Set(['a', 'b'])]]))
    expect(access?.fieldDepths).toEqual(new Map([['Query.a', 2]]))
    expect(access?.maxDepth).toBe(3)
  })

  it.each([{ restrictedTypes: 'Port' }, { restrictedTypes: [{ name: 'Port', fields: 'name' }] }, { allowedTypes: {} }])(
    'close if a list cannot be read: %j',
    (wrong) => expect(makeGraphqlRights({ ...none, ...wrong }, 0)?.allowed).toEqual(new Map()),
  )

  it('close root fields if the depths of fields cannot be read', () => {
    expect(makeGraphqlRights({ ...none, fieldAccessRights: 'all' }, 0)?.fieldDepths.size).toBe(1)
  })
})
