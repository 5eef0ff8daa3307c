import { connect as connectHttp2, constants } from 'node:http2'
import { connect } from 'node:net'
import type { GatewayRequest, GatewayResponse } from '@turnpike/core/http'
import type { Handle } from '@turnpike/core/ports'
import { afterEach, describe, expect, it } from 'vitest'
import { makeNodeFrontEnd } from '../front-end-node/front-end-node.ts'
import { makeHttp1FrontEnd } from './front-end-http1.ts'

const frontEnds = [
  ['node', makeNodeFrontEnd],
  ['http1', makeHttp1FrontEnd],
] as const

describe.each(frontEnds)('the front end %s', (name, make) => {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  const final: GatewayResponse = { status: 200, headers: ['x-last', '1'], body: 'done' }

  async function listen(handle: Handle, http2 = false): Promise<number> {
    const { port, close } = await make({ http2 }).listen(handle, { host: '127.0.0.1', port: 0 })
    closers.push(() => close(0))
    return port
  }

  /** Writes the bytes and returns everything that the server sends until it closes the connection. */
  function exchange(port: number, bytes: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let text = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
      })
      socket.on('end', () => resolve(text))
      socket.on('error', reject)
    })
  }

  function sendHint(request: GatewayRequest): GatewayResponse {
    request.sendInterim?.(103, ['link', '</style.css>; rel=preload'])
    return final
  }

  it('an interim response is sent before the final one', async () => {
    const text = await exchange(await listen(sendHint), 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(text).toMatch(
      /^HTTP\/1\.1 103 Early Hints\r\nlink: <\/style\.css>; rel=preload\r\n\r\nHTTP\/1\.1 200 OK\r\n.*done$/s,
    )
  })

  it('HTTP/1.0 has no interim responses', async () => {
    const text = await exchange(await listen(sendHint), 'GET / HTTP/1.0\r\nHost: a\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.[01] 200 OK\r\n/)
  })

  it('none is sent before the responses to earlier requests of the connection, or after the final one', async () => {
    const port = await listen((request) => {
      if (request.path === '/slow') {
        return new Promise<GatewayResponse>((resolve) => {
          setTimeout(() => resolve(final), 20)
        }).then((response) => {
          setTimeout(() => request.sendInterim?.(103, ['link', '</late>']))
          return response
        })
      }
      request.sendInterim?.(103, ['link', '</early>'])
      return final
    })
    const requests = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /fast HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    const text = await exchange(port, requests)
    // Node calls the handler of the second request before the first response is complete, and drops its interim response.
    const own = name === 'http1' ? ['HTTP/1.1 103'] : []
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', ...own, 'HTTP/1.1 200'])
  })

  it('a header value with a line break does not reach the client', async () => {
    const port = await listen((request) => {
      request.sendInterim?.(103, ['link', '</a>\r\nset-cookie: a=b'])
      return final
    })
    const text = await exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 103 Early Hints\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
    expect(text).not.toContain('set-cookie')
  })

  it('HTTP/2 clients get them as header frames', async () => {
    const session = connectHttp2(`http://127.0.0.1:${await listen(sendHint, true)}`)
    closers.push(() => session.destroy())
    const stream = session.request({ ':path': '/' })
    const seen: unknown[] = []
    stream.on('headers', (fields) => seen.push(fields[constants.HTTP2_HEADER_STATUS], fields['link']))
    stream.on('response', (fields) => seen.push(fields[constants.HTTP2_HEADER_STATUS]))
    await new Promise((resolve) => stream.on('close', resolve).resume())
    expect(seen).toEqual([103, '</style.css>; rel=preload', 200])
  })
})
