import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkResponse } from './check-response.ts'
import { type AnyDocument, documentedMethods, documentedOperations } from './documented-operations.ts'
import { generatedCall } from './generated-call.ts'
import { misfit } from './schema-fit.ts'
import { fitting } from './schema-values.ts'

const thing = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, size: { type: 'integer' }, parts: { type: ['array', 'null'], items: {} } },
}
const document: AnyDocument = {
  paths: {
    '/things/{id}': {
      put: {
        operationId: 'putThing',
        parameters: [
          { name: 'id', in: 'path' },
          { name: 'force', in: 'query' },
        ],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } },
      },
    },
    '/things/all': { get: { operationId: 'allThings', responses: { 200: {} } } },
  },
  components: { schemas: { Thing: thing } },
}
const operations = documentedOperations(document)
const [call] = fc.sample(generatedCall(operations.slice(0, 1), document, { names: ['a'] }), { numRuns: 1, seed: 1 })

describe('generated calls', () => {
  it('are of documented operations, with every segment filled in', () => {
    for (const one of fc.sample(generatedCall(operations, document, { names: ['a'] }), { numRuns: 300, seed: 2 })) {
      expect(one.target).toMatch(/^\/things\/[^/{}?]+(\?.*)?$/)
      expect(new URL(one.target, 'http://x.test').pathname.split('/')).toHaveLength(3)
    }
  })

  it('know the methods of a path, by all patterns that fit it', () => {
    expect(documentedMethods(operations, '/things/all')).toEqual(['GET', 'PUT'])
    expect(documentedMethods(operations, '/things/other')).toEqual(['PUT'])
  })

  it('have values that fit their schema', () => {
    fc.assert(
      fc.property(fitting(thing, document), (value) => {
        expect(misfit(JSON.parse(JSON.stringify(value)), thing, document)).toBeUndefined()
      }),
    )
  })
})

describe('an answer', () => {
  const judge = (status: number, body: string, contentType = 'application/json') =>
    checkResponse(call as NonNullable<typeof call>, { status, contentType, body }, document, [
      { operation: 'putThing', status: 500, message: /known/, source: 'this test' },
    ])

  it('is in order when it is as documented', () => {
    expect(judge(200, '{"id":"a","parts":[1]}')).toBeUndefined()
  })

  it.each([
    ['breaks', 500, '{"message":"other"}', /not recorded/],
    ['has a status that is not documented', 404, '{}', /does not document 404/],
    ['is no JSON', 200, '<html>', /no JSON/],
    ['lacks a member', 200, '{}', /has no id/],
    ['has a member of another type', 200, '{"id":"a","size":"1"}', /answer\.size is "1"/],
  ])('is told of when it %s', (_, status, body, told) => {
    expect(judge(status, body)).toMatch(told)
  })
})
