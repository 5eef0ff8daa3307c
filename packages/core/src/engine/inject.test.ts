import { describe, expect, it } from 'vitest'
import { collect } from '../http/byte-stream.ts'
import { collectResponse, makeInjectedRequest } from './inject.ts'

describe('an injected request', () => {
  it('has the same form as a request of a front end', async () => {
    const request = makeInjectedRequest({
      method: 'POST',
      url: '/a%2Fb?c=d?e',
      headers: { 'X-One': ['1', '2'] },
      body: 'é',
    })
    expect(request.path).toBe('/a%2Fb')
    expect(request.query).toBe('c=d?e')
    expect(request.headers).toEqual(['host', 'localhost', 'x-one', '1', 'x-one', '2', 'content-length', '2'])
    expect(request.bodyLength).toBe(2)
    expect(new TextDecoder().decode(await collect(request.body as never))).toBe('é')
  })

  it('gets its Host from an absolute URL', () => {
    const request = makeInjectedRequest({ url: 'http://api.example:8080?x=1' })
    expect([request.headers[1], request.path, request.query]).toEqual(['api.example:8080', '/', 'x=1'])
  })

  it('has no body and the length 0 by default', () => {
    const request = makeInjectedRequest({ url: '/' })
    expect(request.body).toBeUndefined()
    expect(request.bodyLength).toBe(0)
  })

  it('calls the last abort listener once', () => {
    const request = makeInjectedRequest({ url: '/' })
    const calls: string[] = []
    request.onAbort(() => calls.push('first'))
    request.onAbort(() => calls.push('last'))
    request.abort()
    request.abort()
    expect(calls).toEqual(['last'])
  })
})

describe('a collected response', () => {
  it('has text, JSON, pairs and joined headers', async () => {
    const read = await collectResponse({ status: 201, headers: ['a', '1', 'a', '2'], body: '{"x":1}' })
    expect(read.status).toBe(201)
    expect(read.json()).toEqual({ x: 1 })
    expect(read.text()).toBe('{"x":1}')
    expect(read.headers.a).toBe('1, 2')
    expect(read.pairs).toHaveLength(4)
  })

  it('has no bytes without a body', async () => {
    expect((await collectResponse({ status: 204, headers: [], body: undefined })).bytes).toHaveLength(0)
  })
})
