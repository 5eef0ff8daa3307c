import { describe, expect, it } from 'vitest'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { Upstream, UpstreamRequest } from '../../ports/upstream.ts'
import { makeBatchRequest, makeHttpRequest, type ScriptHttp } from './script-http.ts'

/** An upstream that responds with the path; `/moved` redirects to another host, and `down.test` does not respond. */
function server() {
  const requests: (UpstreamRequest & { readonly origin: string })[] = []
  const upstream: Upstream = {
    connect: (origin) => ({
      send(request) {
        requests.push({ ...request, origin })
        if (origin === 'http://down.test')
          return Promise.resolve({ kind: 'error', reason: 'refused', cause: undefined })
        const isMoved = request.path === '/moved'
        return Promise.resolve({
          kind: 'response',
          status: isMoved ? 302 : 200,
          headers: isMoved ? ['location', 'http://other.test/new'] : ['x-a', '1'],
          body: utf8Bytes(request.path),
          bodyLength: undefined,
        })
      },
      release() {},
    }),
    close: () => Promise.resolve(),
  }
  const http: ScriptHttp = {
    upstream,
    clock: { now: () => 0 },
    timeoutMs: 5000,
    optionsFor: () => ({ insecure: false }),
  }
  return { http, requests }
}

const bodyOf = (request: UpstreamRequest | undefined) => utf8Text(request?.body as Uint8Array)

describe('an HTTP request of a script', () => {
  it('sends a form sorted by name, and a body in place of it', async () => {
    const { http, requests } = server()
    const send = makeHttpRequest(http)
    const request = { Method: 'POST', Domain: 'http://up.test', Resource: '/f', FormData: { b: '2', a: 'x y' } }
    await send(JSON.stringify(request))
    await send(JSON.stringify({ ...request, Body: 'own' }))
    expect(requests.map(bodyOf)).toEqual(['a=x+y&b=2', 'own'])
  })

  it('returns each value in both spellings', async () => {
    const text = await makeHttpRequest(server().http)('{"Domain":"http://up.test","Resource":"/x"}')
    const value = { Code: 200, Body: '/x', Headers: { 'X-A': ['1'] } }
    expect(JSON.parse(text ?? '')).toEqual({ ...value, code: 200, body: '/x', headers: value.Headers })
  })

  it('follows redirects, without credentials to another host', async () => {
    const { http, requests } = server()
    const Headers = { Authorization: 'secret', Cookie: 'c=1', 'X-Own': '1' }
    const text = await makeHttpRequest(http)(JSON.stringify({ Domain: 'http://up.test', Resource: '/moved', Headers }))
    expect(JSON.parse(text ?? '')).toMatchObject({ code: 200, body: '/new' })
    expect(requests[1]?.headers).toEqual(['host', 'other.test', 'x-own', '1'])
  })

  it.each([
    undefined,
    'no JSON',
    '[]',
    '{"Domain":"up.test"}',
    '{"Domain":"ftp://up.test"}',
    '{"Domain":"http://down.test"}',
    '{"Domain":"http://up.test","Headers":{"X-A":1}}',
    '{"Domain":"http://up.test","Method":"GE T"}',
  ])('returns undefined for %s', async (json) => {
    expect(await makeHttpRequest(server().http)(json)).toBeUndefined()
  })
})

describe('a batch of a script', () => {
  const empty = { relative_url: '', code: 0, headers: null, body: '' }

  it('has a response for each item, in their order; one that fails is empty', async () => {
    const requests = ['http://up.test/a', '/relative', 'http://down.test/b'].map((url) => ({ relative_url: url }))
    const text = await makeBatchRequest(server().http)(JSON.stringify({ requests }))
    const first = { relative_url: 'http://up.test/a', code: 200, headers: { 'X-A': ['1'] }, body: '/a' }
    expect(JSON.parse(text ?? '')).toEqual([first, empty, empty])
  })

  it('sends 1,000 items at most; the others are empty', async () => {
    const { http, requests: sent } = server()
    const requests = Array.from({ length: 1002 }, () => ({ relative_url: 'http://up.test/a' }))
    const replies = JSON.parse((await makeBatchRequest(http)(JSON.stringify({ requests }))) ?? '') as unknown[]
    expect([sent.length, replies.length]).toEqual([1000, 1002])
    expect(replies.slice(1000)).toEqual([empty, empty])
  })

  it.each([
    ['{}', '[]'],
    ['{"requests":null}', '[]'],
    ['no JSON', undefined],
    ['[]', undefined],
  ])('of %s returns %s', async (json, result) => {
    expect(await makeBatchRequest(server().http)(json)).toBe(result)
  })
})
