import { describe, expect, it } from 'vitest'
import { documentOf, makeDocumentEngine } from '../../../test/support/document-engine.ts'
import { requestOf, type TestEngine } from '../../../test/support/test-engine.ts'
import { streamOf } from '../../http/byte-stream.ts'
import { headerOf } from '../../http/headers.ts'
import type { Json } from '../../lib/json.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'

const on = { enabled: true }
const post = (operationId: string) => ({ post: { operationId, responses: { 200: { description: '' } } } })
const paths = { '/tools/call': post('call'), '/resources/read': post('read'), '/tools/list': post('list') }

async function send(test: TestEngine, method: string, params?: Json, path = '/d/') {
  const bytes = utf8Bytes(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) }
  const request = { ...requestOf('POST', path, headers), body: streamOf(bytes), bodyLength: bytes.length }
  return (await test.engine.handle(request)).status
}

const call = (test: TestEngine, name: string) => send(test, 'tools/call', { name })
const engineWith = (middleware: Json, classic?: Json) =>
  makeDocumentEngine(documentOf({ paths }, { middleware }), {
    kind: 'mcp',
    ...(classic === undefined ? {} : { classic }),
  })

describe('rules of tools, resources and prompts', () => {
  const middleware = {
    mcpTools: { open: { allow: on }, danger: { block: on } },
    mcpResources: { 'db://a/*': { block: on } },
  }

  it('come from the document, not from the definition file', async () => {
    const versions = {
      '': { use_extended_paths: true, extended_paths: { white_list: [{ path: '/mcp-tool:danger' }] } },
    }
    const test = await engineWith(middleware, { version_data: { not_versioned: true, versions } })
    expect(await call(test, 'open')).toBe(200)
    expect(await call(test, 'danger')).toBe(403)
    expect(await call(test, 'unnamed')).toBe(403)
    expect(await send(test, 'resources/read', { uri: 'db://a/1' })).toBe(403)
    expect(await send(test, 'resources/read', { uri: 'db://b' })).toBe(200)
  })

  it('apply even if the definition file does not use extended paths or lacks is_oas', async () => {
    const versions = { Default: { name: 'Default', use_extended_paths: false } }
    const test = await engineWith(middleware, { is_oas: undefined, version_data: { not_versioned: true, versions } })
    expect(await call(test, 'danger')).toBe(403)
    expect(await call(test, 'open')).toBe(200)
  })

  it('with a wrong type keep the API from being loaded', async () => {
    const rules = { mcpTools: { t: { rateLimit: { enabled: true, rate: 'many', per: '1s' } } } }
    const document = documentOf({}, { middleware: rules })
    await expect(async () => makeDocumentEngine(document, { kind: 'mcp' })).rejects.toThrow('rate')
  })
})

describe('rules of methods', () => {
  it('block a method', async () => {
    const test = await engineWith({ operations: { read: { block: on } } })
    expect(await send(test, 'resources/read', { uri: 'a' })).toBe(403)
    expect(await send(test, 'resources/list')).toBe(200)
  })

  it('block all other methods if one operation is allowed, but no other requests', async () => {
    const test = await engineWith({ operations: { call: { allow: on } } })
    expect(await call(test, 'a')).toBe(200)
    expect(await send(test, 'ping')).toBe(403)
    expect((await test.send('GET', '/d/x')).status).toBe(200)
  })

  it('apply beside those of primitives, whose headers win', async () => {
    const add = (name: string, value: string) => ({ transformRequestHeaders: { ...on, add: [{ name, value }] } })
    const test = await engineWith({
      operations: {
        call: {
          transformRequestHeaders: {
            ...on,
            add: [
              { name: 'X-A', value: 'method' },
              { name: 'X-B', value: 'method' },
            ],
          },
        },
      },
      mcpTools: { saw: add('X-A', 'tool') },
    })
    await call(test, 'saw')
    const headers = test.upstreamRequests[0]?.headers ?? []
    expect([headerOf(headers, 'x-a'), headerOf(headers, 'x-b')]).toEqual(['tool', 'method'])
  })

  it('limit all calls of the method, and its size beside that of the tool', async () => {
    const limited = await engineWith({ operations: { call: { rateLimit: { ...on, rate: 1, per: '1m' } } } })
    expect([await call(limited, 'a'), await call(limited, 'b'), await send(limited, 'ping')]).toEqual([200, 429, 200])
    const small = await engineWith({
      operations: { call: { requestSizeLimit: { ...on, value: 90 } } },
      mcpTools: { saw: { requestSizeLimit: { ...on, value: 10_000 } } },
    })
    expect(await call(small, 'saw')).toBe(200)
    expect(await send(small, 'tools/call', { name: 'saw', x: 'x'.repeat(90) })).toBe(400)
  })

  it('do not exist for other methods, and their paths are closed to a direct POST', async () => {
    const test = await engineWith({ operations: { list: { block: on } } })
    expect(await send(test, 'tools/list')).toBe(200)
    expect(await send(test, 'ping', undefined, '/d/tools/call')).toBe(403)
    expect(await send(test, 'ping', undefined, '/d/tools%2Fcall')).toBe(403)
    expect((await test.send('GET', '/d/tools/call')).status).toBe(200)
  })
})
