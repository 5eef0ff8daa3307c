/** What the suite of the port does not cover, because other front ends have limits there. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as tlsConnect } from 'node:tls'
import { type GatewayRequest, type GatewayResponse, streamOf } from '@turnpike/core/http'
import type { Handle } from '@turnpike/core/ports'
import { openRaw, rawExchange } from '@turnpike/testkit/suites/http-wire/raw-exchange'
import { hasResponse, readResponses, wireHeader } from '@turnpike/testkit/suites/http-wire/wire-responses'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { cert, key } from '../../../upstream/test/local-certificate.ts'
import { type Http1FrontEndOptions, makeHttp1FrontEnd } from './front-end-http1.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function listen(handle: Handle, options: Http1FrontEndOptions = {}): Promise<number> {
  const { port, close } = await makeHttp1FrontEnd(options).listen(handle, { host: '127.0.0.1', port: 0 })
  closers.push(() => close(0))
  return port
}

const text = (body: string): GatewayResponse => ({ status: 200, headers: [], body })
const echoPath: Handle = ({ path }) => text(path)
const later: Handle = ({ path }) => sleep(20).then(() => text(path))
const get = (path: string, lines = '', version = '1.1') => `GET ${path} HTTP/${version}\r\nHost: a\r\n${lines}\r\n`
const bodies = (received: string) => readResponses(received).map(({ body }) => body)

describe('HTTP/1.0', () => {
  it('closes the connection unless the client keeps it alive', async () => {
    const port = await listen(later)
    const closed = await rawExchange(port, get('/a', '', '1.0') + get('/b', '', '1.0'), { waitMs: 1_000 })
    expect([closed.closed, bodies(closed.text)]).toEqual([true, ['/a']])
    const kept = get('/a', 'Connection: Keep-Alive\r\n', '1.0')
    const { text: received } = await rawExchange(port, kept + get('/b', '', '1.0'), { waitMs: 1_000 })
    expect(bodies(received)).toEqual(['/a', '/b'])
    const [first] = readResponses(received)
    expect(wireHeader(first, 'connection')).toBe('keep-alive')
  })

  it('gets a body of unknown length up to the end of the connection', async () => {
    const port = await listen(() => ({ status: 200, headers: [], body: streamOf(Buffer.from('abc')) }))
    const { text: received, closed } = await rawExchange(port, get('/', 'Connection: keep-alive\r\n', '1.0'))
    expect([closed, received.slice(received.indexOf('\r\n\r\n'))]).toEqual([true, '\r\n\r\nabc'])
    expect(received).toMatch(/\r\nConnection: close\r\n/)
  })
})

describe('UTF-8 in the request target', () => {
  it('is served as its percent-escapes, with a body too', async () => {
    const port = await listen(({ method, path, query }) => text(`${method} ${path}?${query}`))
    const target = Buffer.from('/é?ä').toString('latin1')
    const bytes = `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc`
    const { text: received } = await rawExchange(port, bytes, { until: (so) => bodies(so).length === 1 })
    expect(bodies(received)).toEqual(['POST /%C3%A9?%C3%A4'])
  })
})

describe('pipelined requests', () => {
  it('are served one after the other, in order, in any pieces', async () => {
    let running = 0
    const port = await listen(async ({ path }) => {
      expect(++running).toBe(1)
      await sleep(2)
      running--
      return text(path)
    })
    const paths = Array.from({ length: 30 }, (_, i) => `/${i}`)
    const bytes = paths.map((path) => get(path)).join('')
    for (const size of [bytes.length, 7, 50]) {
      const later = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => ({
        afterMs: i / 10,
        bytes: bytes.slice(i * size, (i + 1) * size),
      }))
      const done = (received: string) => received.endsWith('/29') && bodies(received).length === 30
      expect(bodies((await rawExchange(port, '', { later, until: done })).text)).toEqual(paths)
    }
  })

  it('are not read without end while a response is pending or not read', async () => {
    let served = 0
    const port = await listen(() => {
      served++
      return text('x'.repeat(50_000))
    })
    const client = await openRaw(port)
    client.socket.pause()
    client.socket.write(get('/').repeat(20_000))
    await sleep(300)
    expect(served).toBeLessThan(1_000)
    client.socket.destroy()
    const held = await listen(() => new Promise<GatewayResponse>(() => {}))
    const sender = await openRaw(held)
    sender.socket.write(get('/').repeat(500_000))
    await sleep(300)
    expect(sender.socket.writableLength).toBeGreaterThan(0)
    sender.socket.destroy()
  })
})

describe('a client that ends its half of the connection', () => {
  it('gets the responses to its requests', async () => {
    const port = await listen(later)
    const { text: received } = await rawExchange(port, get('/a') + get('/b'), { end: true, waitMs: 2_000 })
    expect(received).toContain('/a')
    const client = await openRaw(port)
    client.socket.end(get('/a') + get('/b'))
    await client.closed
    expect(bodies(client.received())).toEqual(['/a', '/b'])
  })

  it('counts as disconnected after a while without bytes', async () => {
    let aborted = false
    const port = await listen((request) => {
      request.onAbort(() => {
        aborted = true
      })
      return new Promise<GatewayResponse>(() => {})
    })
    const client = await openRaw(port)
    client.socket.end(get('/a'))
    await vi.waitUntil(() => aborted, { timeout: 5_000 })
    await client.closed
  })
})

describe('Expect: 100-continue', () => {
  const expecting = 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n'

  it('gets the final status at once if the body is not wanted, and the connection closes', async () => {
    const port = await listen(() => ({ status: 401, headers: [], body: 'no' }))
    const { text: received, closed } = await rawExchange(port, expecting, { waitMs: 1_000 })
    expect(received).toMatch(/^HTTP\/1\.1 401 /)
    expect(received).toMatch(/\r\nConnection: close\r\n/)
    expect(closed).toBe(true)
  })

  it('gets no status 100 if the body is there already', async () => {
    const port = await listen(echoBody)
    const { text: received } = await rawExchange(port, `${expecting}abc`, { until: hasResponse })
    expect(received).toMatch(/^HTTP\/1\.1 200 /)
  })
})

function echoBody({ body, bodyLength }: GatewayRequest): GatewayResponse {
  return { status: 200, headers: [], body, bodyLength }
}

describe('a rejected head', () => {
  it.each([
    [400, 'GET  / HTTP/1.1\r\n\r\n'],
    [400, 'get / HTTP/1.1\r\nHost: a\r\n\r\n'],
    [400, 'GET http://a|b/ HTTP/1.1\r\nHost: a\r\n\r\n'],
    [414, `GET /${'a'.repeat(70_000)}`],
    [417, get('/', 'Expect: x\r\n')],
    [431, get('/', `X: ${'a'.repeat(70_000)}\r\n`)],
    [431, get('/', 'X: 1\r\n'.repeat(120))],
    [501, 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n'],
    [501, 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n'],
    [505, 'GET / HTTP/2.0\r\nHost: a\r\n\r\n'],
  ])('gets %i with one line as its cause, and the connection closes', async (status, bytes) => {
    const port = await listen(echoPath)
    const { text: received, closed } = await rawExchange(port, bytes, { waitMs: 2_000 })
    const [response] = readResponses(received)
    expect([response?.status, closed]).toEqual([status, true])
    expect(response?.body).toMatch(/^[\w ,.-]+\n$/)
  })
})

describe('time limits', () => {
  it('close an idle connection, before and after a request', async () => {
    const port = await listen(echoPath, { keepAliveMs: 200 })
    const started = performance.now()
    const [silent, served] = await Promise.all([
      rawExchange(port, '', { waitMs: 3_000 }),
      rawExchange(port, get('/a'), { waitMs: 3_000 }),
    ])
    expect([silent, { closed: served.closed, bodies: bodies(served.text) }]).toEqual([
      { text: '', closed: true },
      { closed: true, bodies: ['/a'] },
    ])
    expect(performance.now() - started).toBeGreaterThan(190)
  })

  it('do not count empty lines after a body as the head of a request', async () => {
    const port = await listen(echoPath, { headerTimeoutMs: 80 })
    const later = [{ afterMs: 400, bytes: get('/b') }]
    const done = (received: string) => received.endsWith('/b')
    expect(bodies((await rawExchange(port, `${get('/a')}\r\n\r\n`, { later, until: done })).text)).toEqual(['/a', '/b'])
  })

  it('do not count the time of the handler', async () => {
    const limits = { keepAliveMs: 50, headerTimeoutMs: 50, bodyStallMs: 50 }
    const port = await listen(({ path }) => sleep(400).then(() => text(path)), limits)
    expect(bodies((await rawExchange(port, get('/a'), { until: hasResponse })).text)).toEqual(['/a'])
  })

  it('end a connection whose client reads nothing of a large response', async () => {
    const port = await listen(() => text('x'.repeat(30_000_000)), { writeStallMs: 150, bodyStallMs: 60_000 })
    const client = await openRaw(port)
    client.socket.pause()
    client.socket.write(get('/'))
    await sleep(1_500)
    client.socket.resume()
    await client.closed
    expect(client.received().length).toBeLessThan(30_000_000)
  })
})

describe('a server that closes', () => {
  it.each([{}, { tls: { key, cert } }])('sends a response that a slow client has not read yet', async (options) => {
    const frontEnd = makeHttp1FrontEnd(options)
    const handle = () => text('x'.repeat(8_000_000))
    const listening = await frontEnd.listen(handle, { host: '127.0.0.1', port: 0 })
    const address = { port: listening.port, host: '127.0.0.1', ca: cert }
    const socket = 'tls' in options ? tlsConnect(address) : connect(address)
    socket.pause()
    socket.write(get('/'))
    await sleep(200)
    const closing = listening.close(5_000)
    await sleep(50)
    let received = 0
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length
    })
    socket.resume()
    await closing
    await vi.waitUntil(() => socket.readableEnded || socket.destroyed)
    expect(received).toBeGreaterThan(8_000_000)
    socket.destroy()
  })
})

describe('an upgraded connection', () => {
  const upgrade = get('/', 'Connection: Upgrade\r\nUpgrade: mirror\r\n')
  const mirror: Handle = () => {
    let sink: { data(chunk: Uint8Array): boolean; end(): void } | undefined
    const incoming = {
      pipe(to: typeof sink) {
        sink = to
      },
      pause() {},
      resume() {},
      cancel() {},
    }
    const tunnel = {
      incoming,
      sendFrom: (outgoing: ReturnType<typeof streamOf>) =>
        outgoing.pipe({ data: (chunk) => sink?.data(chunk) ?? true, end: () => sink?.end(), fail() {} }),
    }
    return { status: 101, headers: [], body: undefined, tunnel }
  }

  it('passes bytes that follow the head', async () => {
    const port = await listen(mirror)
    const { text: received } = await rawExchange(port, `${upgrade}abc`, {
      later: [{ afterMs: 30, bytes: 'def' }],
      until: (it) => it.endsWith('abcdef'),
    })
    expect(received).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n[\s\S]*\r\n\r\nabcdef$/)
  })

  it('is closed after the time without traffic', async () => {
    const port = await listen(mirror, { tunnelIdleMs: 200 })
    const started = performance.now()
    const later = [{ afterMs: 150, bytes: 'a' }]
    expect((await rawExchange(port, upgrade, { waitMs: 3_000, later })).closed).toBe(true)
    expect(performance.now() - started).toBeGreaterThan(330)
  })

  it('is an ordinary request if Connection does not name Upgrade, or behind a request that follows it', async () => {
    const port = await listen(({ upgrade: protocol }) => text(String(protocol)))
    const bytes = get('/', 'Upgrade: mirror\r\n') + upgrade + get('/')
    const { text: received } = await rawExchange(port, bytes, { until: (it) => bodies(it).length === 3 })
    expect(bodies(received)).toEqual(['undefined', 'mirror', 'undefined'])
  })
})

describe('a short body', () => {
  const post = (length: number, body: string) =>
    `POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${body}`

  it('that has arrived with its head can be taken as bytes, once', async () => {
    const taken: (string | undefined)[] = []
    const port = await listen(({ body }) => {
      for (let i = 0; i < 2; i++) {
        const bytes = body?.takeBytes?.()
        taken.push(bytes && Buffer.from(bytes).toString())
      }
      return text('ok')
    })
    const bytes = post(3, 'abc') + get('/b')
    const { text: received } = await rawExchange(port, bytes, { until: (it) => bodies(it).length === 2 })
    expect(bodies(received)).toEqual(['ok', 'ok'])
    expect(taken).toEqual(['abc', undefined, undefined, undefined])
  })

  it.each([
    ['arrives later', 6, 'abc', 'def'],
    ['is long', 20_000, 'x'.repeat(20_000), ''],
  ])('that %s is a stream', async (_, length, first, second) => {
    let taken: unknown
    const port = await listen((request) => {
      taken = request.body?.takeBytes?.()
      return echoBody(request)
    })
    const later = [{ afterMs: 50, bytes: second }]
    const { text: received } = await rawExchange(port, post(length, first), { later, until: hasResponse })
    expect([taken, bodies(received)]).toEqual([undefined, [first + second]])
  })
})
