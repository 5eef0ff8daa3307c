// A gateway inside servers of the program: gateway.nodeHandler, gateway.nodeUpgradeHandler and gateway.fetch.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createGateway } from '../src/gateway/create-gateway.ts'
import { defineApi } from '../src/gateway/define-api.ts'
import type { Gateway } from '../src/gateway/gateway.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

let gateway: Gateway
let upstreamServer: Server
const calls: { url: string; aborted: boolean }[] = []
const logged: string[] = []

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

beforeEach(async () => {
  calls.length = 0
  logged.length = 0
  upstreamServer = createServer((req, res) => {
    const call = { url: `${req.method} ${req.url} ${req.headers['x-forwarded-for']}`, aborted: false }
    calls.push(call)
    res.on('close', () => {
      call.aborted = !res.writableFinished
    })
    // Sends the head and each chunk at once, so a test sees whether both directions stream.
    res.writeHead(200, { 'x-url': call.url }).flushHeaders()
    req.on('data', (chunk: Buffer) => res.write(`got ${chunk};`))
    req.on('end', () => {
      if (req.url !== '/hang') res.end('end')
    })
  })
  const port = await listen(upstreamServer)
  const write = (message: string) => void logged.push(message)
  gateway = await createGateway({
    definitions: [defineApi({ id: 'a', target: `http://127.0.0.1:${port}/`, open: true })],
    log: { debug() {}, info() {}, warn: write, error: write },
  })
  cleanups.push(() => gateway.close(0))
})

async function serve(listener: (req: IncomingMessage, res: ServerResponse) => void) {
  const server = createServer(listener)
  return { server, port: await listen(server) }
}

/** Sends a request and collects what arrives. */
function send(port: number, path: string, method = 'POST') {
  const req = request({ port, host: '127.0.0.1', path, method })
  const chunks: string[] = []
  const response = once(req, 'response').then(([res]) => {
    ;(res as IncomingMessage).setEncoding('utf8').on('data', (text: string) => chunks.push(text))
    return res as IncomingMessage
  })
  return { req, chunks, response }
}

describe('gateway.nodeHandler', () => {
  it('streams both directions and passes the address of the client', async () => {
    const { port } = await serve(gateway.nodeHandler)
    const { req, chunks, response } = send(port, '/a/x')
    req.write('one')
    const res = await response
    expect(res.headers['x-url']).toBe('POST /x 127.0.0.1')
    await expect.poll(() => chunks.join('')).toBe('got one;')
    req.end('two')
    await once(res, 'end')
    expect(chunks.join('')).toBe('got one;got two;end')
  })

  it('aborts the call to the upstream if the client disconnects', async () => {
    const { port } = await serve(gateway.nodeHandler)
    const { req, response } = send(port, '/a/hang')
    req.on('error', () => {})
    req.end('x')
    const res = await response
    res.on('error', () => {})
    req.destroy()
    await expect.poll(() => calls[0]?.aborted).toBe(true)
  })

  it('serves several requests on one connection, keeps headers of the framework, and rejects malformed requests', async () => {
    const { port } = await serve((req, res) => {
      res.setHeader('x-powered-by', 'me')
      gateway.nodeHandler(req, res)
    })
    for (let i = 0; i < 3; i++) {
      const response = await fetch(`http://127.0.0.1:${port}/a/${i}`)
      expect([response.status, response.headers.get('x-powered-by')]).toEqual([200, 'me'])
      await response.text()
    }
    expect((await fetch(`http://127.0.0.1:${port}/a/%zz`)).status).toBe(400)
    expect((await fetch(`http://127.0.0.1:${port}/none`)).status).toBe(404)
  })

  it('says what is wrong if the body was read before', async () => {
    const { port } = await serve(async (req, res) => {
      for await (const _ of req);
      gateway.nodeHandler(req, res)
    })
    const response = await fetch(`http://127.0.0.1:${port}/a/x`, { method: 'POST', body: '{}' })
    expect(response.status).toBe(500)
    expect(await response.text()).toContain('Mount the gateway before body parsers')
    expect(logged).toEqual(['the body of a request was read before the gateway received the request'])
  })

  it('finishes running requests when the gateway closes, and then responds with 503', async () => {
    const { port } = await serve(gateway.nodeHandler)
    const { req, chunks, response } = send(port, '/a/x')
    req.write('one')
    const res = await response
    const closing = gateway.close(5_000)
    expect((await fetch(`http://127.0.0.1:${port}/a/x`)).status).toBe(503)
    req.end()
    await once(res, 'end')
    expect(chunks.join('')).toBe('got one;end')
    await closing
    expect((await fetch(`http://127.0.0.1:${port}/a/x`)).status).toBe(503)
  })
})

describe('gateway.nodeUpgradeHandler', () => {
  it('tunnels web sockets', async () => {
    const sockets = new WebSocketServer({ server: upstreamServer })
    sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(`echo ${String(data)}`)))
    const { server, port } = await serve(gateway.nodeHandler)
    server.on('upgrade', gateway.nodeUpgradeHandler)
    const client = new WebSocket(`ws://127.0.0.1:${port}/a/socket`)
    cleanups.push(() => client.terminate())
    await once(client, 'open')
    client.send('hello')
    expect(String((await once(client, 'message'))[0])).toBe('echo hello')
    client.close()
    await once(client, 'close')
  })

  it('rejects an upgrade of an unknown path as a request', async () => {
    const { server, port } = await serve(gateway.nodeHandler)
    server.on('upgrade', gateway.nodeUpgradeHandler)
    const client = new WebSocket(`ws://127.0.0.1:${port}/none`)
    client.on('error', () => {})
    const [, response] = await once(client, 'unexpected-response')
    expect((response as IncomingMessage).statusCode).toBe(404)
  })
})

describe('gateway.fetch', () => {
  it('streams both directions', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const init = { method: 'POST', body: readable, duplex: 'half' } as RequestInit
    const pending = gateway.fetch(new Request('http://gw.test/a/x?y=1', init), { remoteAddress: '192.0.2.1' })
    const writer = writable.getWriter()
    const encoder = new TextEncoder()
    await writer.write(encoder.encode('one'))
    const response = await pending
    expect(response.headers.get('x-url')).toBe('POST /x?y=1 192.0.2.1')
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('got one;')
    await writer.write(encoder.encode('two'))
    await writer.close()
    let rest = ''
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      rest += new TextDecoder().decode(part.value)
    }
    expect(rest).toBe('got two;end')
  })

  it('aborts the call to the upstream if the request is aborted, or the response is cancelled', async () => {
    const abort = new AbortController()
    const first = await gateway.fetch(new Request('http://gw.test/a/hang', { signal: abort.signal }))
    abort.abort()
    await expect(first.text()).rejects.toThrow()
    const second = await gateway.fetch(new Request('http://gw.test/a/hang'))
    await second.body?.cancel()
    await expect.poll(() => calls.map(({ aborted }) => aborted)).toEqual([true, true])
  })

  it('serves the management API as the own port does', async () => {
    expect((await gateway.fetch(new Request('http://127.0.0.1/hello'))).status).toBe(200)
  })
})
