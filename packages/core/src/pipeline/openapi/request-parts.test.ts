import { describe, expect, it } from 'vitest'
import { operationsOf } from '../../definition/openapi/operations.ts'
import { formFields } from '../../lib/form.ts'
import type { Json } from '../../lib/json.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import { compileBodyCheck, compileParameterCheck } from './check-request.ts'
import { DocumentSchemas } from './openapi-schema.ts'

const integer = { type: 'integer' }
const integers = { type: 'array', items: integer }
const pair = { type: 'object', properties: { a: integer, b: { type: 'string' } } }

/** Checks one parameter; `text` is the query, or the text of the parameter elsewhere. */
async function problemOf(parameter: Json, text: string | undefined) {
  const place = parameter['in'] ?? 'query'
  const named = { name: 'p', in: place, ...parameter }
  const document = { paths: { '/{p}': { get: { parameters: [named], responses: {} } } } }
  const [operation] = operationsOf(document)
  if (operation === undefined) throw new Error('no operation')
  const fields = formFields(place === 'query' ? (text ?? '') : '')
  const one = () => text
  const source = {
    path: one,
    header: one,
    cookie: one,
    query: (name: string) => fields.get(name) ?? [],
    fields: () => fields,
  }
  const reason = await compileParameterCheck(operation, new DocumentSchemas(document))(source)
  return reason?.replace(/^parameter "p" in \w+ has an error: /, '')
}

describe('the style of a parameter', () => {
  it.each<[Json, string, string]>([
    [{ style: 'pipeDelimited', schema: integers }, 'p=1%7C2', 'p=1%7Cx'],
    [{ style: 'pipeDelimited', explode: true, schema: integers }, 'p=1&p=2', 'p=1&p=x'],
    [{ style: 'spaceDelimited', schema: integers }, 'p=1%202', 'p=1+x'],
    [{ style: 'form', explode: false, schema: integers }, 'p=1,2', 'p=1,x'],
    [{ schema: integers }, 'p=1&p=2', 'p=1,2'],
    [{ style: 'deepObject', schema: pair }, 'p[a]=1&p[b]=x', 'p[a]=x'],
    [{ style: 'deepObject', schema: { type: 'object', properties: { q: pair } } }, 'p[q][a]=1', 'p%5Bq%5D%5Ba%5D=x'],
    [
      { style: 'deepObject', schema: { type: 'object', properties: { l: integers } } },
      'p[l]=1&p[l]=2',
      'p[l][]=1&p[l][]=x',
    ],
    [{ style: 'deepObject', schema: { type: 'object', additionalProperties: integer } }, 'p[z]=1', 'p[z]=x'],
    [{ style: 'deepObject', schema: pair }, 'q[a]=x', 'p[a=1'],
    [{ style: 'deepObject', schema: pair }, 'p[b]=x', 'p[b]=x&p[b][c]=y'],
    [{ schema: pair }, 'a=1&b=x', 'a=x'],
    [{ explode: false, schema: pair }, 'p=a,1,b,x', 'p=a,x'],
    [{ explode: false, schema: pair }, 'p=a,1', 'p=a,1,a,x'],
    [{ schema: { $ref: '#/paths/~1%7Bp%7D/get/parameters/0/x', type: 'integer' } }, '', 'p=1'],
    [{ schema: { allOf: [integer] } }, 'p=1', 'p=x'],
    [{ schema: { anyOf: [integer, { type: 'boolean' }] } }, 'p=true', 'p=x'],
    [{ schema: { type: ['integer', 'null'] } }, 'p=1', 'p=x'],
    [{ schema: { oneOf: [{ type: 'string', maxLength: 2 }, integers] } }, 'p=ab', 'p=abc'],
    [{ schema: integer }, 'p=1&p=2', 'p=1&p=x'],
    [{ in: 'path', schema: integers }, '1,2', '1,x'],
    [{ in: 'path', style: 'label', schema: integers }, '.1,2', '1,2'],
    [{ in: 'path', style: 'label', explode: true, schema: integers }, '.1.2', '.1.x'],
    [{ in: 'path', style: 'matrix', schema: integers }, ';p=1,2', ';q=1,2'],
    [{ in: 'path', style: 'matrix', explode: true, schema: integers }, ';p=1;p=2', ';p=1;p=x'],
    [{ in: 'path', style: 'matrix', explode: true, schema: pair }, ';a=1;b=x', ';a=x;b=x'],
    [{ in: 'path', schema: pair }, 'a,1,b,x', 'a,x,b,x'],
    [{ in: 'path', explode: true, schema: pair }, 'a=1,b=x', 'a=x,b=x'],
    [{ in: 'header', schema: integers }, '1, 2', '1, x'],
    [{ in: 'header', schema: pair }, 'a,1', 'a,x'],
    [{ in: 'cookie', explode: false, schema: integers }, '1,2', '1,x'],
  ])('%j: %s is valid, %s is not', async (parameter, valid, invalid) => {
    expect(await problemOf(parameter, valid)).toBe(undefined)
    expect(await problemOf(parameter, invalid)).toBeTypeOf('string')
  })

  it('leaves a required object missing if none of its members is there', async () => {
    const missing = 'value is required but missing'
    expect(await problemOf({ required: true, style: 'deepObject', schema: pair }, 'a=1')).toBe(missing)
    expect(await problemOf({ required: true, schema: pair }, 'c=1')).toBe(missing)
  })

  it('names the member that cannot be read', async () => {
    const problem = await problemOf({ style: 'deepObject', schema: pair }, 'p[a]=x')
    expect(problem).toBe('path a: value x: an invalid integer: invalid syntax')
  })
})

describe('a parameter with content', () => {
  const content = { 'application/json': { schema: { type: 'object', required: ['a'] } } }

  it.each([
    ['p=%7B%22a%22:1%7D', undefined],
    ['p=%7B%7D', 'Error at "/a": property "a" is missing'],
    ['p=x', expect.stringContaining('failed to decode')],
    ['', undefined],
  ])('%s: %s', async (query, reason) => {
    expect(await problemOf({ content }, query)).toEqual(reason)
  })

  it('of a type that cannot be read is rejected', async () => {
    const xml = { 'application/xml': { schema: { type: 'object' } } }
    expect(await problemOf({ content: xml }, 'p=x')).toBe(
      'failed to decode: unsupported content type "application/xml"',
    )
    expect(await problemOf({ content: { 'text/plain': { schema: { type: 'string', maxLength: 1 } } } }, 'p=xy')).toBe(
      'maximum string length is 1',
    )
  })
})

async function bodyProblem(content: Json, text: string, type: string) {
  const check = compileBodyCheck({ requestBody: { required: true, content } }, new DocumentSchemas({}))
  return (await check?.(utf8Bytes(text), ['content-type', type]))?.replace(/^request body has an error: /, '')
}

const lines = (...parts: string[]) => [...parts.flatMap((part) => ['--B', part]), '--B--', ''].join('\r\n')
const part = (name: string, value: string, more = '') =>
  `Content-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}`
const multipart = 'multipart/form-data; boundary=B'

describe('a multipart body', () => {
  const schema = {
    type: 'object',
    required: ['file'],
    properties: { file: { type: 'string', format: 'binary' }, n: integer, list: integers, meta: pair },
    additionalProperties: false,
  }
  const form = { 'multipart/form-data': { schema } }
  const file = part('file', '--C\r\nx', '; filename="a;name=b"\r\nContent-Type: application/pdf')

  it.each([
    [lines(file), undefined],
    [lines(file, part('n', '7'), part('list', '1'), part('list', '2'), part('meta', '{"a":1}')), undefined],
    [lines(part('n', '1')), 'doesn\'t match schema: Error at "/file": property "file" is missing'],
    [lines(file, part('n', 'x')), 'doesn\'t match schema: Error at "/n": value must be an integer'],
    [lines(file, part('n', '1'), part('n', 'x')), 'doesn\'t match schema: Error at "/n": value must be an integer'],
    [lines(file, part('list', 'x')), 'doesn\'t match schema: Error at "/list/0": value must be an integer'],
    [lines(file, part('meta', '{"a":"x"}')), 'doesn\'t match schema: Error at "/meta/a": value must be an integer'],
    [lines(file, part('other', '1')), 'doesn\'t match schema: property "other" is unsupported'],
    [lines(file, part('meta', '{')), expect.stringContaining('failed to decode request body: part meta')],
  ])('%j: %s', async (text, reason) => {
    expect(await bodyProblem(form, text, multipart)).toEqual(reason)
  })

  it.each([
    ['no boundary', lines(file), 'multipart/form-data'],
    ['two boundaries', lines(file), 'multipart/form-data; boundary=B; boundary=C'],
    ['text before it', `x\r\n${lines(file)}`, multipart],
    ['text after it', `${lines(file)}x`, multipart],
    ['no end', lines(file).replace('--B--', ''), multipart],
    ['bare line feeds', lines(file).replaceAll('\r\n', '\n'), multipart],
    ['no name', lines('Content-Disposition: form-data\r\n\r\nx'), multipart],
    ['two names', lines(part('file', 'x', '; name="n"')), multipart],
    ['a name with a charset', lines(part('file', 'x', "; name*=utf-8''n")), multipart],
    ['a name with a backslash', lines(part('fi\\le', 'x')), multipart],
    ['a header twice', lines(part('file', 'x', '\r\nContent-Disposition: form-data; name="n"')), multipart],
    ['a transfer encoding', lines(part('file', 'eA==', '\r\nContent-Transfer-Encoding: base64')), multipart],
  ])('with %s is rejected', async (_, text, type) => {
    expect(await bodyProblem(form, text, type)).toContain('failed to decode request body: ')
  })
})

describe('a form', () => {
  const schema = {
    type: 'object',
    required: ['age'],
    properties: { age: integer, size: integer, tags: integers, q: pair },
  }
  const encoding = { tags: { explode: false }, q: { style: 'deepObject' } }
  const form = { 'application/x-www-form-urlencoded': { schema, encoding } }

  it.each([
    ['age=7&tags=1,2&q[a]=1&other=x', undefined],
    ['age=old', 'doesn\'t match schema: Error at "/age": property "age" is missing'],
    ['age=7&size=big', 'failed to decode request body: field size: value big: an invalid integer: invalid syntax'],
    ['age=7&tags=1,x', expect.stringContaining('field tags: path 1: value x')],
    ['age=7&q[a]=x', expect.stringContaining('field q: path a: value x')],
    ['age=7&age=8', expect.stringContaining('Error at "/age": value must be an integer')],
  ])('%s: %s', async (text, reason) => {
    expect(await bodyProblem(form, text, 'application/x-www-form-urlencoded')).toEqual(reason)
  })
})

describe('a body of another type', () => {
  it.each<[string, Json, string, string | undefined]>([
    ['application/xml', { type: 'object' }, 'application/xml', 'unsupported content type "application/xml"'],
    ['*/*', { type: 'object' }, 'application/yaml', 'unsupported content type "application/yaml"'],
    ['image/png', { type: 'string', format: 'binary' }, 'image/png', undefined],
    ['image/*', { type: 'string', maxLength: 1 }, 'image/gif', 'maximum string length is 1'],
    ['application/octet-stream', {}, 'application/octet-stream', undefined],
    ['application/json; charset=utf-8', { type: 'string' }, 'application/json;charset=UTF-8', 'failed to decode'],
  ])('%s with %j', async (documented, schema, sent, reason) => {
    const problem = await bodyProblem({ [documented]: { schema } }, '<b/>', sent)
    if (reason === undefined) expect(problem).toBe(undefined)
    else expect(problem).toContain(reason)
  })
})

describe('a body that the upstream could read in another way', () => {
  const schema = { type: 'object', properties: { name: { type: 'string', maxLength: 3 }, sub: pair } }
  const problem = async (text: string, headers: string[], type = 'application/json') => {
    const requestBody = { content: { [type]: { schema } } }
    const check = compileBodyCheck({ requestBody }, new DocumentSchemas({}))
    return await check?.(utf8Bytes(text), ['content-type', type, ...headers])
  }

  it.each([
    ['{"name":"ok","name":"longer"}', 'a member occurs twice'],
    ['{"name":"ok","sub":{"a":1,"\\u0061":"x"}}', 'a member occurs twice'],
    ['{"Name":"longer"}', 'property "Name" differs from "name" in case only'],
    ['{"sub":{"A":"x"}}', 'Error at "/sub": property "A" differs from "a" in case only'],
    ['\ufeff{"name":"ok"}', 'byte order mark'],
  ])('%s is rejected', async (text, reason) => {
    expect(await problem(text, [])).toContain(reason)
  })

  it('by its coding or charset is rejected', async () => {
    expect(await problem('{"name":"ok"}', [])).toBe(undefined)
    expect(await problem('{"name":"ok"}', ['content-encoding', 'gzip'])).toContain('the content coding "gzip"')
    expect(await problem('{"name":"ok"}', ['content-type', 'text/plain'])).toContain('unexpected value')
    const form = 'application/x-www-form-urlencoded'
    expect(await problem('name=ok', ['content-encoding', 'br'], form)).toContain('the content coding "br"')
    expect(await problem('name=ok', [], `${form}; charset=utf-16`)).toContain('the charset must be utf-8')
  })

  it('may have names in several cases where the schema has them', async () => {
    const properties = { name: { type: 'string' }, Name: { type: 'integer' } }
    const requestBody = { content: { 'application/json': { schema: { type: 'object', properties } } } }
    const check = compileBodyCheck({ requestBody }, new DocumentSchemas({}))
    expect(await check?.(utf8Bytes('{"name":"x","Name":1,"other":1}'), ['content-type', 'application/json'])).toBe(
      undefined,
    )
  })
})
