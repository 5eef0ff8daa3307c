import { collectResponse, makeInjectedRequest } from '@turnpike/core/engine'
import type { ByteStream } from '@turnpike/core/http'
import { describe, expect, it } from 'vitest'
import { bridge } from './fetch-bridge.ts'

describe('a fetch handler behind the bridge', () => {
  it('receives method, URL, headers and body', async () => {
    const handle = bridge(async (request) =>
      Response.json({
        method: request.method,
        url: request.url,
        header: request.headers.get('x-a'),
        body: await request.text(),
      }),
    )
    const request = makeInjectedRequest({
      method: 'PUT',
      url: '/a%2Fb?c=1',
      headers: { host: 'gw.test:8080', 'X-A': ['1', '2'] },
      body: 'hello',
    })
    const response = await collectResponse(await handle(request))
    expect(response.status).toBe(200)
    expect(response.json()).toEqual({
      method: 'PUT',
      url: 'http://gw.test:8080/a%2Fb?c=1',
      header: '1, 2',
      body: 'hello',
    })
    expect(response.headers['content-type']).toBe('application/json')
  })

  it.each([
    ['/apis/%2e%2e', '/apis/%252e%252e'],
    ['/apis/%2E./x', '/apis/%252E./x'],
    ['/apis/a%2e%2e', '/apis/a%2e%2e'],
  ])('receives escaped dots unchanged: %s', async (url, seen) => {
    const response = await collectResponse(
      await bridge((request) => new Response(request.url))(makeInjectedRequest({ url })),
    )
    expect(new URL(response.text()).pathname).toBe(seen)
  })

  it('can return a response without a body and with several cookies', async () => {
    const headers = new Headers([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ])
    const response = await bridge(() => new Response(null, { status: 204, headers }))(makeInjectedRequest({ url: '/' }))
    expect(response).toMatchObject({
      status: 204,
      body: undefined,
      headers: ['set-cookie', 'a=1', 'set-cookie', 'b=2'],
    })
  })

  it('is not called for a body over the limit, announced or not', async () => {
    let calls = 0
    const handle = bridge(
      () => {
        calls++
        return new Response()
      },
      { maxBodyBytes: 3 },
    )
    const announced = makeInjectedRequest({ method: 'POST', url: '/', body: 'abcd' })
    const unannounced = makeInjectedRequest({
      method: 'POST',
      url: '/',
      headers: { 'transfer-encoding': 'chunked' },
      body: 'abcd',
    })
    expect((await handle(announced)).status).toBe(413)
    expect((await handle(unannounced)).status).toBe(413)
    expect(calls).toBe(0)
  })

  it('is not called for a request that `Request` cannot represent', async () => {
    const handle = bridge(() => new Response())
    expect((await handle(makeInjectedRequest({ method: 'TRACE', url: '/' }))).status).toBe(400)
    expect((await handle(makeInjectedRequest({ url: '/', headers: { host: '[' } }))).status).toBe(400)
  })

  it('streams its response with backpressure and stops if it is cancelled', async () => {
    let pulled = 0
    let cancelled = false
    const web = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(1_000))
      },
      cancel() {
        cancelled = true
      },
    })
    const response = await bridge(() => new Response(web))(makeInjectedRequest({ url: '/' }))
    const stream = response.body as ByteStream
    stream.pipe({ data: () => false, end() {}, fail() {} })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(pulled).toBeLessThan(5)
    stream.cancel()
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(cancelled).toBe(true)
  })

  it('fails the response body if its stream fails', async () => {
    const web = new ReadableStream({
      pull(controller) {
        controller.error(new Error('no more'))
      },
    })
    const response = await bridge(() => new Response(web))(makeInjectedRequest({ url: '/' }))
    await expect(collectResponse(response)).rejects.toThrow('no more')
  })

  it('gets an aborted signal if the client disconnects', async () => {
    let signal: AbortSignal | undefined
    const request = makeInjectedRequest({ url: '/' })
    const response = bridge((it) => {
      signal = it.signal
      return new Promise((resolve) => it.signal.addEventListener('abort', () => resolve(new Response('gone'))))
    })(request)
    await new Promise((resolve) => setTimeout(resolve, 0))
    request.abort()
    await response
    expect(signal?.aborted).toBe(true)
  })
})
