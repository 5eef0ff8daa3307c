import { describe, expect, it } from 'vitest'
import { documentOf, makeDocumentEngine } from '../../../test/support/document-engine.ts'
import { requestOf } from '../../../test/support/test-engine.ts'
import { operationsOf } from '../../definition/openapi/operations.ts'
import type { Json } from '../../lib/json.ts'
import { pathValueReader } from './path-segment.ts'

const path = (name: string, schema: Json) => ({ name, in: 'path', required: true, schema })
/** An operation that responds with its own id. */
const operation = (operationId: string, ...parameters: Json[]) => ({ operationId, parameters, responses: {} })

/** Sends requests to mocks: each operation whose id does not begin with `no` has a mock with its id as the body. */
async function mocks(paths: Json, listenPath = '/d/') {
  const ids = operationsOf({ paths }).map(({ id }) => id)
  const operations = Object.fromEntries(
    ids.filter((id) => !id.startsWith('no')).map((id) => [id, { mockResponse: { enabled: true, body: id } }]),
  )
  const server = { listenPath: { value: listenPath, strip: true } }
  const test = await makeDocumentEngine(documentOf({ paths }, { server, middleware: { operations } }))
  return async (at: string) => {
    const { body } = await test.send('GET', `/d/${at}`)
    return typeof body === 'string' ? body : 'upstream'
  }
}

describe('candidates of one shape', () => {
  const variants: readonly (readonly [name: string, schema: Json])[] = [
    ['any', { type: 'string' }],
    ['limited', { type: 'string', maxLength: 3 }],
    ['pattern', { type: 'string', pattern: '^x-' }],
    ['flag', { type: 'boolean' }],
    ['decimal', { type: 'number' }],
    ['count', { type: ['null', 'integer'] }],
  ]
  const paths = Object.fromEntries(
    variants.map(([name, schema]) => [`/t/{${name}}`, { get: operation(name, path(name, schema)) }]),
  )

  it.each([
    ['7', 'count'],
    ['-007', 'count'],
    ['9223372036854775808', 'decimal'],
    ['1e3', 'decimal'],
    ['T', 'flag'],
    ['x-long', 'pattern'],
    ['abc', 'limited'],
    ['%E2%82%AC%E2%82%AC', 'any'],
    ['longer', 'any'],
    ['%37', 'count'],
  ])('%s belongs to %s', async (value, id) => {
    expect(await (await mocks(paths))(`t/${value}`)).toBe(id)
  })

  it('count the parameters of the operation only', async () => {
    const send = await mocks({
      '/t/{a}': { get: operation('a', path('a', { type: 'string', pattern: 'x' })) },
      '/t/{b}': { parameters: [path('b', { type: 'integer' })], get: operation('b') },
    })
    expect([await send('t/x'), await send('t/7')]).toEqual(['a', 'b'])
  })

  it('go to the upstream if none fits', async () => {
    const send = await mocks({
      '/t/{a}': { get: operation('a', path('a', { type: 'integer' })) },
      '/t/{b}': { get: operation('b', path('b', { type: 'boolean' })) },
    })
    expect(await send('t/other')).toBe('upstream')
  })
})

describe('paths without parameters', () => {
  const fixed = { '/t/all': { get: operation('no-all') }, '/t/own': { get: operation('own') } }

  it('keep their requests from rules with parameters', async () => {
    const send = await mocks({ ...fixed, '/t/{n}': { get: operation('n', path('n', { type: 'string' })) } })
    expect([await send('t/all'), await send('t/allow'), await send('t/own'), await send('t/x')]).toEqual([
      'upstream',
      'upstream',
      'own',
      'n',
    ])
  })

  it('keep nothing if only they have rules', async () => {
    const send = await mocks({ ...fixed, '/t/a': { get: operation('a') }, '/t/{n}': { get: operation('no-n') } })
    expect(await send('t/all')).toBe('a')
  })
})

describe('validation below a listen path with variables', () => {
  const paths = {
    '/t/{n}': { get: operation('n', path('n', { type: 'integer' })) },
    '/t/file-{id}': { get: operation('no-id') },
    '/t/all': { get: operation('no-all') },
  }

  it('checks only paths of the document, segment by segment', async () => {
    const middleware = { operations: { n: { validateRequest: { enabled: true } } } }
    const server = { listenPath: { value: '/d/{tenant}/', strip: true } }
    const test = await makeDocumentEngine(documentOf({ paths }, { server, middleware }))
    const statusOf = async (at: string) => (await test.send('GET', `/d/acme/${at}`)).status
    expect(await statusOf('t/x')).toBe(422)
    expect(await statusOf('t/5')).toBe(200)
    for (const at of ['t/all', 't/file-x', 't/x/y', 'a/t/x']) expect(await statusOf(at), at).toBe(200)
  })
})

describe('the value of a parameter', () => {
  it.each([
    ['/a/{id}', '/a/7', '7'],
    ['/a/{id}', '/a/%37', '7'],
    ['/a/{id}', '/a', undefined],
    ['/a/{id}', '/a//', undefined],
    ['/a/{id}', '/x/a/7', 'a'],
    ['/a/file-{id}.txt', '/a/file-7.txt', '7'],
    ['/a/file-{id}.txt', '/a/other', 'other'],
    ['/a/{other}', '/a/7', undefined],
  ])('of %s in %s is %s', (template, request, value) => {
    expect(pathValueReader(template, 'id')(request)).toBe(value)
  })
})

describe('repeated header lines', () => {
  it('are one line for the check and for the upstream', async () => {
    const parameters = [{ name: 'X-Word', in: 'header', schema: { type: 'string', maxLength: 3 } }]
    const paths = { '/t': { get: { operationId: 't', parameters, responses: {} } } }
    const middleware = { operations: { t: { validateRequest: { enabled: true } } } }
    const test = await makeDocumentEngine(documentOf({ paths }, { middleware }))
    const send = async (...words: readonly string[]) => {
      const headers = [...words.flatMap((word) => ['x-word', word]), 'cookie', 'a=1', 'cookie', 'b=2']
      return (await test.engine.handle({ ...requestOf('GET', '/d/t'), headers })).status
    }
    expect([await send('a', 'b'), await send('ab', 'c')]).toEqual([200, 422])
    expect(test.upstreamRequests[0]?.headers.join(' ')).toMatch(/x-word a,b .*cookie a=1; b=2/)
  })
})
