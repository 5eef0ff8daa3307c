import { type ByteStream, makeInjectedRequest, readAnswer } from '@turnpike/core'
import { describe, expect, it } from 'vitest'
import { bridge } from './fetch-bridge.ts'

describe('a fetch handler behind the bridge', () => {
  it('sees method, URL, headers and body', async () => {
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
    const answer = await readAnswer(await handle(request))
    expect(answer.status).toBe(200)
    expect(answer.json()).toEqual({
      method: 'PUT',
      url: 'http://gw.test:8080/a%2Fb?c=1',
      header: '1, 2',
      body: 'hello',
    })
    expect(answer.headers['content-type']).toBe('application/json')
  })

  it.each([
    ['/apis/%2e%2e', '/apis/%252e%252e'],
    ['/apis/%2E./x', '/apis/%252E./x'],
    ['/apis/a%2e%2e', '/apis/a%2e%2e'],
  ])('is not led elsewhere by escaped dots: %s', async (url, seen) => {
    const answer = await readAnswer(await bridge((request) => new Response(request.url))(makeInjectedRequest({ url })))
    expect(new URL(answer.text()).pathname).toBe(seen)
  })

  it('may answer without a body, and with more than one cookie', async () => {
    const headers = new Headers([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ])
    const answer = await bridge(() => new Response(null, { status: 204, headers }))(makeInjectedRequest({ url: '/' }))
    expect(answer).toMatchObject({ status: 204, body: undefined, headers: ['set-cookie', 'a=1', 'set-cookie', 'b=2'] })
  })

  it('is not called for a body over the limit, told or not', async () => {
    let calls = 0
    const handle = bridge(
      () => {
        calls++
        return new Response()
      },
      { maxBodyBytes: 3 },
    )
    const told = makeInjectedRequest({ method: 'POST', url: '/', body: 'abcd' })
    const untold = makeInjectedRequest({
      method: 'POST',
      url: '/',
      headers: { 'transfer-encoding': 'chunked' },
      body: 'abcd',
    })
    expect((await handle(told)).status).toBe(413)
    expect((await handle(untold)).status).toBe(413)
    expect(calls).toBe(0)
  })

  it('is not called where the standard cannot say the request', async () => {
    const handle = bridge(() => new Response())
    expect((await handle(makeInjectedRequest({ method: 'TRACE', url: '/' }))).status).toBe(400)
    expect((await handle(makeInjectedRequest({ url: '/', headers: { host: '[' } }))).status).toBe(400)
  })

  it('streams its answer no faster than it is taken, and stops when it is cancelled', async () => {
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
    const answer = await bridge(() => new Response(web))(makeInjectedRequest({ url: '/' }))
    const stream = answer.body as ByteStream
    stream.pipe({ data: () => false, end() {}, fail() {} })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(pulled).toBeLessThan(5)
    stream.cancel()
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(cancelled).toBe(true)
  })

  it('breaks off where its stream fails', async () => {
    const web = new ReadableStream({
      pull(controller) {
        controller.error(new Error('no more'))
      },
    })
    const answer = await bridge(() => new Response(web))(makeInjectedRequest({ url: '/' }))
    await expect(readAnswer(answer)).rejects.toThrow('no more')
  })

  it('sees its signal aborted when the client goes away', async () => {
    let signal: AbortSignal | undefined
    const request = makeInjectedRequest({ url: '/' })
    const answer = bridge((it) => {
      signal = it.signal
      return new Promise((resolve) => it.signal.addEventListener('abort', () => resolve(new Response('gone'))))
    })(request)
    await new Promise((resolve) => setTimeout(resolve, 0))
    request.abort()
    await answer
    expect(signal?.aborted).toBe(true)
  })
})
