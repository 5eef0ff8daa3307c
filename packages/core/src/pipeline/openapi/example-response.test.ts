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
const wish = { code: 200, contentType: 'application/json', exampleName: '' }

describe('a response from examples', () => {
  it('is the first example, with the headers that have examples', () => {
    expect(exampleResponseOf({}, operation, wish)).toEqual({
      code: 200,
      headers: { 'X-Page': '3', 'content-type': 'application/json' },
      body: '{"a":1}',
    })
  })

  it('can be selected by name, type and code', () => {
    expect(exampleResponseOf({}, operation, { ...wish, exampleName: 'two' })).toMatchObject({ body: '{"a":2}' })
    expect(exampleResponseOf({}, operation, { ...wish, contentType: 'text/plain' })).toMatchObject({ body: 'hello' })
    expect(exampleResponseOf({}, operation, { ...wish, code: 204 })).toMatchObject({ code: 204, body: '' })
  })

  it('has the first acceptable type with an example', () => {
    const several = { ...wish, contentType: 'text/html', otherTypes: ['text/plain', 'application/json'] }
    expect(exampleResponseOf({}, operation, several)).toMatchObject({ body: 'hello' })
    expect(exampleResponseOf({}, operation, { ...wish, contentType: 'text/html', otherTypes: ['image/png'] })).toBe(
      'there is no example response for the content type: text/html',
    )
  })

  it('is generated from the schema if there is no example', () => {
    expect(exampleResponseOf({}, operation, { ...wish, code: 404 })).toMatchObject({
      body: '{"name":"string","age":7}',
    })
  })

  it('does not exist if the document has neither', () => {
    expect(exampleResponseOf({}, operation, { ...wish, code: 500 })).toBe(
      'there is no example response for the code: 500',
    )
  })
})
