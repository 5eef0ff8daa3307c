import { type ByteSink, type ByteStream, type GatewayResponse, joinChunks } from '@turnpike/core/http'
import { type Handle, silentLog } from '@turnpike/core/ports'
import { describe, expect, it } from 'vitest'
import { makeEmbeddedFetch } from './fetch-handler.ts'

const serve = (handle: Handle, maxBodyBytes = 0) => makeEmbeddedFetch(handle, { log: silentLog, maxBodyBytes })
const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

/** A stream that a test writes to. */
function writable() {
  let sink: ByteSink | undefined
  const calls: string[] = []
  const stream: ByteStream = {
    pipe(to) {
      sink = to
    },
    pause: () => void calls.push('pause'),
    resume: () => void calls.push('resume'),
    cancel: () => void calls.push('cancel'),
  }
  return { stream, calls, sink: () => sink as ByteSink }
}

const ok = (body: GatewayResponse['body'], more: Partial<GatewayResponse> = {}): GatewayResponse => ({
  status: 200,
  headers: [],
  body,
  ...more,
})

describe('a handler behind fetch', () => {
  it('receives method, path, query, headers and address', async () => {
    const { fetch } = serve(({ method, path, query, headers, remoteAddress, secure }) =>
      ok(JSON.stringify({ method, path, query, headers, remoteAddress, secure })),
    )
    const request = new Request('https://gw.test:8443/a%2Fb?c=%20d#e', { method: 'PUT', headers: { 'X-A': '1' } })
    expect(await (await fetch(request)).json()).toEqual({
      method: 'PUT',
      path: '/a%2Fb',
      query: 'c=%20d',
      headers: ['x-a', '1', 'host', 'gw.test:8443'],
      remoteAddress: '0.0.0.0',
      secure: true,
    })
    const known = await fetch(new Request('http://gw.test'), { remoteAddress: '10.0.0.7' })
    expect(await known.json()).toMatchObject({ path: '/', query: '', remoteAddress: '10.0.0.7', secure: false })
  })

  it('streams the request body before it is complete', async () => {
    const seen: string[] = []
    const { fetch } = serve(({ body, bodyLength }) => {
      seen.push(`length ${bodyLength}`)
      return new Promise((resolve) => {
        body?.pipe({
          data: (chunk) => seen.push(new TextDecoder().decode(chunk)) > 0,
          end: () => resolve(ok('done')),
          fail: () => resolve(ok('failed')),
        })
      })
    })
    const { readable, writable: source } = new TransformStream<Uint8Array, Uint8Array>()
    const response = fetch(
      new Request('http://gw.test/', { method: 'POST', body: readable, duplex: 'half' } as RequestInit),
    )
    const writer = source.getWriter()
    await writer.write(new TextEncoder().encode('one'))
    await settled()
    expect(seen).toEqual(['length undefined', 'one'])
    await writer.close()
    expect(await (await response).text()).toBe('done')
  })

  it('streams the response body, pauses its source, and cancels it', async () => {
    const { stream, calls, sink } = writable()
    const { fetch } = serve(() => ok(stream))
    const response = await fetch(new Request('http://gw.test/'))
    const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>
    expect(sink().data(new Uint8Array(10))).toBe(true)
    expect((await reader.read()).value).toHaveLength(10)
    expect(sink().data(new Uint8Array(70_000))).toBe(false)
    expect(calls).toEqual([])
    await reader.read()
    await settled()
    expect(calls).toEqual(['resume'])
    await reader.cancel()
    expect(calls).toEqual(['resume', 'cancel'])
  })

  it('aborts the handler and the response if the request is aborted', async () => {
    const { stream, calls, sink } = writable()
    let aborted = 0
    const { fetch } = serve((request) => {
      request.onAbort(() => aborted++)
      return ok(stream)
    })
    const abort = new AbortController()
    const response = await fetch(new Request('http://gw.test/', { signal: abort.signal }))
    sink().data(new Uint8Array(3))
    const text = response.text()
    abort.abort()
    await expect(text).rejects.toThrow('aborted')
    expect([aborted, calls]).toEqual([1, ['cancel']])
  })

  it('fails a response whose body has another length than announced', async () => {
    const { stream, sink } = writable()
    const { fetch } = serve(() => ok(stream, { bodyLength: 5 }))
    const response = await fetch(new Request('http://gw.test/'))
    expect(response.headers.get('content-length')).toBe('5')
    sink().data(new Uint8Array(3))
    sink().end()
    await expect(response.text()).rejects.toThrow('its Content-Length is 5')
  })

  it.each([
    ['more', 'abcdef'],
    ['fewer', 'ab'],
  ])('fails a request body that has %s bytes than its Content-Length', async (_, body) => {
    const { fetch } = serve(async (request) => ok(await textOf(request.body)))
    const request = new Request('http://gw.test/', { method: 'POST', body, headers: { 'content-length': '4' } })
    expect(await (await fetch(request)).text()).toMatch(/does not have the 4 bytes/)
  })

  it('responds with 413 for a body over the limit', async () => {
    const { fetch } = serve(async (request) => ok(await textOf(request.body)), 4)
    expect((await fetch(new Request('http://gw.test/', { method: 'POST', body: 'abcde' }))).status).toBe(413)
    expect((await fetch(new Request('http://gw.test/', { method: 'POST', body: 'abcd' }))).status).toBe(200)
  })

  it('omits the body of HEAD, 204 and 304, and headers of the framing', async () => {
    const { fetch } = serve(({ path }) => ({
      status: Number(path.slice(1)),
      headers: ['set-cookie', 'a=1', 'set-cookie', 'b=2', 'connection', 'close', 'transfer-encoding', 'chunked'],
      body: 'text',
    }))
    for (const status of [204, 304]) {
      const response = await fetch(new Request(`http://gw.test/${status}`))
      expect([response.status, response.body]).toEqual([status, null])
    }
    const head = await fetch(new Request('http://gw.test/200', { method: 'HEAD' }))
    expect(head.body).toBeNull()
    expect(head.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect([...head.headers.keys()]).toEqual(['set-cookie', 'set-cookie'])
  })

  it('turns a failure of the handler and an impossible status into 500', async () => {
    const { fetch } = serve(({ path }) => {
      if (path === '/throw') throw new Error('no')
      return { status: 999, headers: [], body: '' }
    })
    expect((await fetch(new Request('http://gw.test/throw'))).status).toBe(500)
    expect((await fetch(new Request('http://gw.test/status'))).status).toBe(500)
  })

  it('waits for running requests when it closes, and then responds with 503', async () => {
    const { stream, sink } = writable()
    const { fetch, close } = serve(() => ok(stream))
    const running = await fetch(new Request('http://gw.test/'))
    let closed = false
    const closing = close(1_000).then(() => {
      closed = true
    })
    expect((await fetch(new Request('http://gw.test/'))).status).toBe(503)
    await settled()
    expect(closed).toBe(false)
    sink().data(new TextEncoder().encode('end'))
    sink().end()
    expect(await running.text()).toBe('end')
    await closing
    expect(closed).toBe(true)
  })
})

function textOf(body: ByteStream | undefined): Promise<string> {
  const chunks: Uint8Array[] = []
  return new Promise((resolve) => {
    body?.pipe({
      data: (chunk) => chunks.push(chunk) > 0,
      end: () =>
        resolve(
          new TextDecoder().decode(
            joinChunks(
              chunks,
              chunks.reduce((sum, { length }) => sum + length, 0),
            ),
          ),
        ),
      fail: (error) => resolve(String(error)),
    })
  })
}
