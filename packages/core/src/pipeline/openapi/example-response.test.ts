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

describe('an answer from examples', () => {
  it('is the first one, with the headers that have examples', () => {
    expect(exampleResponseOf({}, operation, wish)).toEqual({
      code: 200,
      headers: { 'X-Page': '3', 'content-type': 'application/json' },
      body: '{"a":1}',
    })
  })

  it('may be chosen by name, type and code', () => {
    expect(exampleResponseOf({}, operation, { ...wish, exampleName: 'two' })).toMatchObject({ body: '{"a":2}' })
    expect(exampleResponseOf({}, operation, { ...wish, contentType: 'text/plain' })).toMatchObject({ body: 'hello' })
    expect(exampleResponseOf({}, operation, { ...wish, code: 204 })).toMatchObject({ code: 204, body: '' })
  })

  it('is of the first type that has one, of several that will do', () => {
    const several = { ...wish, contentType: 'text/html', otherTypes: ['text/plain', 'application/json'] }
    expect(exampleResponseOf({}, operation, several)).toMatchObject({ body: 'hello' })
    expect(exampleResponseOf({}, operation, { ...wish, contentType: 'text/html', otherTypes: ['image/png'] })).toBe(
      'there is no example response for the content type: text/html',
    )
  })

  it('is made of the schema where there is no example', () => {
    expect(exampleResponseOf({}, operation, { ...wish, code: 404 })).toMatchObject({
      body: '{"name":"string","age":7}',
    })
  })

  it('is none where the document shows none', () => {
    expect(exampleResponseOf({}, operation, { ...wish, code: 500 })).toBe(
      'there is no example response for the code: 500',
    )
  })
})
