import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { type ByteStream, collect, type Tunnel } from '@turnpike/core/http'
import type { Upstream, UpstreamResponse } from '@turnpike/core/ports'
import { send } from '@turnpike/testkit/suites/upstream-suite'
import { afterEach, describe, expect, test } from 'vitest'
import { startEchoUpstream } from '../../../turnpike/src/echo-upstream/echo-upstream.ts'
import { cert, key } from '../../test/local-certificate.ts'
import { realClock } from '../../test/real-clock.ts'
import { makeAnyUpstream } from './any-upstream.ts'

const closing: (() => Promise<unknown> | undefined)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function make(client: 'auto' | 'undici' = 'auto'): Upstream {
  const upstream = makeAnyUpstream({ clock: realClock, client })
  closing.push(() => upstream.close())
  return upstream
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** Starts a server that accepts every upgrade and echoes the first bytes. */
async function startUpgradeServer(): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((_, response) => response.end('plain'))
  server.on('upgrade', (_request, socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n')
    socket.on('data', (chunk) => socket.end(chunk))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('the upstream of a gateway', () => {
  test('upgrades a connection on request, and otherwise sends plain HTTP', async () => {
    const link = make().connect(await startUpgradeServer(), { insecure: false })
    expect(Buffer.from(((await send(link)) as UpstreamResponse).body as Uint8Array).toString()).toBe('plain')
    const changed = (await send(link, { upgrade: 'echo' })) as UpstreamResponse
    expect(changed.status).toBe(101)
    const { incoming, sendFrom } = changed.tunnel as Tunnel
    const said = collect(incoming)
    sendFrom({
      pipe: (sink) => void sink.data(Buffer.from('hello')),
      pause() {},
      resume() {},
      cancel() {},
    })
    expect(Buffer.from(await said).toString()).toBe('hello')
  })

  test('can cancel a call while undici is being loaded', async () => {
    const link = make().connect(await startUpgradeServer(), { insecure: false })
    let cancel = () => {}
    const result = send(link, {
      upgrade: 'echo',
      onStart(give) {
        cancel = give
      },
    })
    cancel()
    expect(await result).toMatchObject({ kind: 'error', reason: 'cancelled' })
  })

  test('can use undici for all origins', async () => {
    const echo = await startEchoUpstream()
    closing.push(() => echo.close())
    expect(await send(make('undici').connect(echo.url, { insecure: false }))).toMatchObject({ status: 200 })
  })

  test('uses TLS for https origins and reports a refused connection', async () => {
    const link = make().connect('https://127.0.0.1:1', { insecure: true })
    expect(await send(link)).toMatchObject({ kind: 'error', reason: 'refused' })
  })

  test('offers HTTP/2 over TLS on request, and uses HTTP/1.1 if the upstream selects it', async () => {
    const upstream = make()
    const versions = async (port: number, http2: boolean) => {
      const link = upstream.connect(`https://127.0.0.1:${port}`, { insecure: true, http2 })
      const responses = [
        await send(link),
        await send(link, { method: 'POST', body: Buffer.from('abc'), bodyLength: 3 }),
      ]
      return responses.map((response) => Buffer.from((response as UpstreamResponse).body as Uint8Array).toString())
    }
    const respond = (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) => {
      const text = `${request.httpVersion} ${request.method}`
      response.writeHead(200, { 'content-length': text.length })
      // Without a body stream, so that both clients return bytes.
      response.end(text)
    }
    const both = createSecureServer({ key, cert, allowHTTP1: true }, respond)
    const old = createTlsServer({ key, cert }, respond)
    expect(await versions(await listen(both), false)).toEqual(['1.1 GET', '1.1 POST'])
    expect(await versions(await listen(old), true)).toEqual(['1.1 GET', '1.1 POST'])
    const link = upstream.connect(`https://127.0.0.1:${(both.address() as AddressInfo).port}`, {
      insecure: true,
      http2: true,
    })
    const { body } = (await send(link)) as UpstreamResponse
    expect(Buffer.from(await collect(body as ByteStream)).toString()).toBe('2.0 GET')
  })

  test('checks certificates and pinned keys on HTTP/2 as well', async () => {
    const port = await listen(createSecureServer({ key, cert }))
    const upstream = make()
    const origin = `https://127.0.0.1:${port}`
    const unknown = await send(upstream.connect(origin, { insecure: false, http2: true }))
    const pinned = { pinnedKeys: ['0'.repeat(64)] }
    const other = await send(upstream.connect(origin, { insecure: true, http2: true, tls: pinned }))
    expect([unknown, other]).toMatchObject([
      { kind: 'error', reason: 'broken', cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } },
      { kind: 'error', reason: 'broken' },
    ])
  })

  test('uses the configured proxy', async () => {
    const echo = await startEchoUpstream()
    closing.push(() => echo.close())
    const link = make().connect('http://behind.example', { insecure: false, proxyUrl: echo.url })
    const response = (await send(link, { path: '/there' })) as UpstreamResponse
    expect(JSON.parse(Buffer.from(response.body as Uint8Array).toString()).url).toContain('behind.example/there')
  })
})
