import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkResponse } from './check-response.ts'
import { type AnyDocument, documentedMethods, documentedOperations } from './documented-operations.ts'
import { generatedCall } from './generated-call.ts'
import { schemaViolation } from './schema-fit.ts'
import { validValues } from './schema-values.ts'

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
  it('call documented operations and fill in every path segment', () => {
    for (const one of fc.sample(generatedCall(operations, document, { names: ['a'] }), { numRuns: 300, seed: 2 })) {
      expect(one.target).toMatch(/^\/things\/[^/{}?]+(\?.*)?$/)
      expect(new URL(one.target, 'http://x.test').pathname.split('/')).toHaveLength(3)
    }
  })

  it('find the methods of a path in all templates that match it', () => {
    expect(documentedMethods(operations, '/things/all')).toEqual(['GET', 'PUT'])
    expect(documentedMethods(operations, '/things/other')).toEqual(['PUT'])
  })

  it('have values that their schema allows', () => {
    fc.assert(
      fc.property(validValues(thing, document), (value) => {
        expect(schemaViolation(JSON.parse(JSON.stringify(value)), thing, document)).toBeUndefined()
      }),
    )
  })
})

describe('a response', () => {
  const judge = (status: number, body: string, contentType = 'application/json') =>
    checkResponse(call as NonNullable<typeof call>, { status, contentType, body }, document, [
      { operation: 'putThing', status: 500, message: /known/, source: 'this test' },
    ])

  it('is valid if it is as documented', () => {
    expect(judge(200, '{"id":"a","parts":[1]}')).toBeUndefined()
  })

  it.each([
    ['has status 500', 500, '{"message":"other"}', /not documented/],
    ['has a status that is not documented', 404, '{}', /does not document 404/],
    ['is not JSON', 200, '<html>', /not JSON/],
    ['lacks a member', 200, '{}', /has no id/],
    ['has a member of another type', 200, '{"id":"a","size":"1"}', /response\.size is "1"/],
  ])('is reported if it %s', (_, status, body, message) => {
    expect(judge(status, body)).toMatch(message)
  })
})
