import { describe, expect, it } from 'vitest'
import { exampleResponseOf } from './example-response.ts'

const schema = { type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer', example: 7 } } }
const operation = {
  responses: {
    200: {
      headers: { 'X-Page': { schema: { type: 'integer', example: 3 } } },
      content: {
        'application/json': { examples: { one: { value: { a: 1 } }, two: { value: { a: 2 } } } },
        'text/plain': { example: 'hello' },
      },
    },
    404: { content: { 'application/json': { schema } } },
    204: {},
  },
}
const request = { code: 200, contentType: 'application/json', exampleName: '' }

describe('a response from examples', () => {
  it('is the first example, with the headers that have examples', () => {
    expect(exampleResponseOf({}, operation, request)).toEqual({
      code: 200,
      headers: { 'x-page': '3', 'content-type': 'application/json' },
      body: '{"a":1}',
    })
  })

  it('has a bounded number of values if its schema names itself several times', () => {
    const node = { $ref: '#/components/schemas/Node' }
    const document = { components: { schemas: { Node: { type: 'object', properties: { left: node, right: node } } } } }
    const given = { responses: { 200: { content: { 'application/json': { schema: node } } } } }
    const made = exampleResponseOf(document, given, request)
    expect(made).toMatchObject({ code: 200 })
    expect((made as { body: string }).body.match(/null/g)?.length).toBeLessThan(20_000)
  })

  it('can be selected by name, type and code', () => {
    expect(exampleResponseOf({}, operation, { ...request, exampleName: 'two' })).toMatchObject({ body: '{"a":2}' })
    expect(exampleResponseOf({}, operation, { ...request, contentType: 'text/plain' })).toMatchObject({
      body: '"hello"',
    })
  })

  it('has the first acceptable type with an example', () => {
    const several = { ...request, contentType: 'text/html', otherTypes: ['text/plain', 'application/json'] }
    expect(exampleResponseOf({}, operation, several)).toMatchObject({ body: '"hello"' })
    expect(exampleResponseOf({}, operation, { ...request, contentType: 'text/html', otherTypes: ['image/png'] })).toBe(
      'there is no example response for the content type: text/html',
    )
  })

  it('is generated from the schema if there is no example', () => {
    expect(exampleResponseOf({}, operation, { ...request, code: 404 })).toMatchObject({
      body: '{"name":"string","age":7}',
    })
  })

  it('does not exist if the document has neither', () => {
    expect(exampleResponseOf({}, operation, { ...request, code: 500 })).toBe(
      'there is no example response for the code: 500',
    )
    expect(exampleResponseOf({}, operation, { ...request, code: 404, contentType: 'text/csv' })).toBe(
      'there is no example response for the content type: text/csv',
    )
    expect(exampleResponseOf({}, operation, { ...request, exampleName: 'three' })).toBe(
      'there is no example response for the example name: three',
    )
  })

  it('is not looked for in the response for all other codes', () => {
    const responses = { default: { content: { 'application/json': { example: 1 } } } }
    expect(exampleResponseOf({}, { responses }, request)).toBe('there is no example response for the code: 200')
  })

  it.each([
    [{ type: 'string', default: 'unused' }, '"string"'],
    [{ type: 'string', enum: ['a', 'b'] }, '"a"'],
    [{ enum: [7] }, '7'],
    [{ type: ['integer', 'null'] }, '0'],
    [{ type: 'boolean' }, 'true'],
    [{ type: 'array', items: { type: 'number' } }, '[0]'],
    [{ properties: { a: { type: 'object' } } }, '{"a":{}}'],
    [{ allOf: [] }, 'null'],
    [undefined, 'null'],
    [{ $ref: '#/components/schemas/Loop' }, expect.stringMatching(/^(\{"next":){21}null\}{21}$/)],
  ])('made of %j is %s', (given, body) => {
    const document = {
      components: { schemas: { Loop: { properties: { next: { $ref: '#/components/schemas/Loop' } } } } },
    }
    const responses = { 200: { content: { 'application/json': { schema: given } } } }
    expect(exampleResponseOf(document, { responses }, request)).toMatchObject({ body })
  })
})
