import { type ClientHttp2Session, connect, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2'
import { connect as dial } from 'node:net'
import type { GatewayRequest, GatewayResponse } from '@turnpike/core/http'
import { collect, streamOf } from '@turnpike/core/http'
import type { Maybe } from '@turnpike/core/lib'
import type { Listening } from '@turnpike/core/ports'
import { makePatternStream } from '@turnpike/testkit/suites/http-wire/pattern-stream'
import { afterEach, describe, expect, it } from 'vitest'
import { makeNodeFrontEnd, type NodeFrontEndOptions } from '../front-end-node/front-end-node.ts'
import { makeHttp1FrontEnd } from './front-end-http1.ts'

const frontEnds = [
  ['node', makeNodeFrontEnd],
  ['http1', makeHttp1FrontEnd],
] as const

describe.each(frontEnds)('the front end %s', (_name, make) => {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  interface Served {
    readonly listening: Listening
    readonly seen: GatewayRequest[]
    readonly client: ClientHttp2Session
  }

  async function serve(
    handle: (request: GatewayRequest) => Maybe<GatewayResponse>,
    options: NodeFrontEndOptions = {},
  ): Promise<Served> {
    const seen: GatewayRequest[] = []
    const frontEnd = make({ http2: true, ...options })
    const listening = await frontEnd.listen(
      (request) => {
        seen.push(request)
        return handle(request)
      },
      { host: '127.0.0.1', port: 0 },
    )
    closers.push(() => listening.close(0))
    const client = connect(`http://127.0.0.1:${listening.port}`)
    client.on('error', () => {})
    closers.push(() => client.destroy())
    return { listening, seen, client }
  }

  const ok = (body: GatewayResponse['body'] = 'ok', headers: string[] = []): GatewayResponse => ({
    status: 200,
    headers,
    body,
  })

  function send(client: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string | Uint8Array) {
    return new Promise<{ headers: IncomingHttpHeaders; text: string; reset: number }>((resolve) => {
      const stream = client.request({ ':path': '/', ...headers }, { endStream: body === undefined })
      let [head, text]: [IncomingHttpHeaders, string] = [{}, '']
      stream.on('response', (given) => {
        head = given
      })
      stream.on('data', (chunk) => {
        text += chunk
      })
      stream.on('error', () => {})
      stream.on('close', () => resolve({ headers: head, text, reset: stream.rstCode ?? 0 }))
      if (body !== undefined) stream.end(body)
    })
  }

  describe('HTTP/2 by prior knowledge', () => {
    it('passes :authority as Host and several cookies as one header', async () => {
      const { client, seen } = await serve(() => ok())
      const headers = { ':path': '/a/b?c=d', ':authority': 'api.test', cookie: ['a=1', 'b=2'], 'x-one': ['1', '2'] }
      expect(await send(client, headers)).toMatchObject({
        headers: { ':status': 200, 'content-length': '2' },
        text: 'ok',
      })
      expect(seen[0]).toMatchObject({ method: 'GET', path: '/a/b', query: 'c=d', remoteAddress: '127.0.0.1' })
      const { headers: pairs, body } = seen[0] as GatewayRequest
      expect(body).toBeUndefined()
      expect(pairs.join()).toContain('host,api.test')
      expect(pairs.join()).toContain('cookie,a=1; b=2')
      expect(pairs.join()).toContain('x-one,1,x-one,2')
      expect(pairs.some((text) => text.startsWith(':'))).toBe(false)
    })

    it('serves many concurrent requests of one connection', async () => {
      const { client } = await serve(async (request) => ok(request.path))
      const paths = Array.from({ length: 100 }, (_, i) => `/n/${i}`)
      const texts = await Promise.all(paths.map(async (path) => (await send(client, { ':path': path })).text))
      expect(texts).toEqual(paths)
    })

    it('passes bodies in both directions, with and without Content-Length', async () => {
      const { client, seen } = await serve((request) => ({ status: 200, headers: [], body: request.body }))
      const body = 'x'.repeat(700_000)
      expect((await send(client, { ':method': 'POST' }, body)).text).toBe(body)
      expect((await send(client, { ':method': 'POST', 'content-length': 3 }, 'abc')).text).toBe('abc')
      expect(seen.map(({ bodyLength }) => bodyLength)).toEqual([undefined, 3])
    })

    it('drops connection headers of HTTP/1.1 and joins repeated headers', async () => {
      const given = [
        'connection',
        'close',
        'keep-alive',
        'x',
        'x-a',
        '1',
        'x-a',
        '2',
        'set-cookie',
        'a',
        'set-cookie',
        'b',
      ]
      const { client } = await serve(() => ok('', given))
      const { headers } = await send(client, {})
      expect(headers).toMatchObject({ ':status': 200, 'x-a': '1, 2', 'set-cookie': ['a', 'b'] })
      expect(headers['connection'] ?? headers['keep-alive']).toBeUndefined()
    })

    it('sends no body for HEAD and 204, and for HEAD the Content-Length of GET', async () => {
      const { client } = await serve(({ path }) => (path === '/none' ? { ...ok(), status: 204 } : ok('12345')))
      const head = await send(client, { ':method': 'HEAD' })
      expect(head).toMatchObject({ text: '', headers: { ':status': 200, 'content-length': '5' } })
      expect(await send(client, { ':path': '/none' })).toMatchObject({ text: '', headers: { ':status': 204 } })
    })

    it('resets the stream of an incomplete response and serves the other streams', async () => {
      const broken = (): GatewayResponse['body'] => ({
        ...streamOf(new Uint8Array(0)),
        pipe: (to) => {
          to.data(new Uint8Array(10))
          to.fail(new Error('the upstream closed the connection'))
        },
      })
      const { client } = await serve(({ path }) => (path === '/broken' ? ok(broken()) : ok()))
      expect((await send(client, { ':path': '/broken' })).reset).not.toBe(0)
      expect((await send(client, {})).text).toBe('ok')
    })

    it('notifies the handler of a disconnected client and cancels the response body', async () => {
      const source = makePatternStream({ total: 1e9 })
      let disconnects = 0
      const { client } = await serve((request) => {
        request.onAbort(() => disconnects++)
        return request.path === '/waits' ? new Promise(() => {}) : ok(source)
      })
      const waits = client.request({ ':path': '/waits' })
      waits.on('error', () => {})
      const reads = client.request({ ':path': '/reads' })
      reads.on('error', () => {})
      reads.once('data', () => {
        waits.close(8)
        reads.close(8)
      })
      await expect.poll(() => disconnects, { timeout: 10_000 }).toBe(2)
      await expect.poll(() => source.cancelled, { timeout: 10_000 }).toBe(true)
    })

    it('fails the body of an upload whose client disconnects', async () => {
      let failure: unknown
      const { client } = await serve(async ({ body }) => {
        await collect(body as NonNullable<typeof body>).catch((cause: unknown) => {
          failure = cause
        })
        return ok()
      })
      const stream = client.request({ ':method': 'POST', ':path': '/' })
      stream.on('error', () => {})
      stream.write('some', () => setTimeout(() => client.destroy(), 20))
      await expect.poll(() => String(failure), { timeout: 10_000 }).toContain('closed the connection')
    })

    it('rejects bodies over the limit, announced or not, and invalid targets', async () => {
      const { client } = await serve(async ({ body }) => ok(body && (await collect(body))), { maxBodyBytes: 10 })
      const status = async (headers: OutgoingHttpHeaders, body?: string) =>
        (await send(client, headers, body)).headers[':status']
      expect(await status({ ':method': 'POST', 'content-length': 11 }, '12345678901')).toBe(413)
      expect(await status({ ':method': 'POST' }, '12345678901')).toBe(413)
      expect(await status({ ':path': '/a#b' })).toBe(400)
      expect(await status({ expect: 'nothing' })).toBe(417)
    })

    it('serves HTTP/1.1 on the same port, also if the first bytes arrive one by one', async () => {
      const { listening } = await serve(({ path }) => ok(path))
      expect(await (await fetch(`http://127.0.0.1:${listening.port}/old`)).text()).toBe('/old')
      const socket = dial(listening.port, '127.0.0.1')
      closers.push(() => socket.destroy())
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.setNoDelay(true)
      for (const letter of 'PR') {
        socket.write(letter)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      socket.write('OPFIND /slow HTTP/1.1\r\nHost: a\r\n\r\n')
      await expect.poll(() => text, { timeout: 10_000 }).toContain('/slow')
    })

    it('ignores an upgrade to h2c', async () => {
      const { listening } = await serve(() => ok())
      const socket = dial(listening.port, '127.0.0.1')
      closers.push(() => socket.destroy())
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.write(
        'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n',
      )
      await expect.poll(() => text, { timeout: 10_000 }).toMatch(/^HTTP\/1\.1 200 OK/)
    })

    it('finishes requests in flight when it closes', async () => {
      let finish = () => {}
      const { client, listening, seen } = await serve(
        () =>
          new Promise<GatewayResponse>((resolve) => {
            finish = () => resolve(ok('late'))
          }),
      )
      const pending = send(client, {})
      await expect.poll(() => seen.length, { timeout: 10_000 }).toBe(1)
      const closed = listening.close(10_000)
      finish()
      expect((await pending).text).toBe('late')
      await closed
    })
  })
})
