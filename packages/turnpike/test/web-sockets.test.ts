/** WebSockets through a whole gateway with sockets at both ends, on both front ends. */
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { createGateway, defineApi, type GatewayOptions } from 'turnpike'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { frontEnds, type TestedFrontEnd } from './support/front-ends.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** An upstream that echoes messages, and does what some of them say. */
async function makeUpstream() {
  const http: Server = createServer((_req, res) => res.end('no socket'))
  const server = new WebSocketServer({ noServer: true, handleProtocols: (set) => [...set].at(-1) ?? false })
  const seen = { headers: {} as Record<string, unknown>, url: '', closes: [] as number[], reasons: [] as string[] }
  http.on('upgrade', (req, socket, head) => {
    seen.headers = req.headers
    seen.url = req.url ?? ''
    if (req.url === '/rejected') {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nX-Why: no\r\n\r\nno')
      return
    }
    server.handleUpgrade(req, socket, head, (ws) => {
      ws.on('message', (data, isBinary) => {
        const text = isBinary ? '' : String(data)
        if (text === 'close') ws.close(4100, 'asked for')
        else if (text === 'cut') ws.terminate()
        else if (text.startsWith('big ')) ws.send(Buffer.alloc(Number(text.slice(4)), 7))
        else ws.send(data as Buffer, { binary: isBinary })
      })
      ws.on('close', (code, reason) => {
        seen.closes.push(code)
        seen.reasons.push(String(reason))
      })
      if (req.url === '/ping') ws.once('pong', (data) => ws.send(`ponged ${data}`)).ping('tick')
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    http.closeAllConnections()
    for (const ws of server.clients) ws.terminate()
    return new Promise((resolve) => http.close(resolve))
  })
  return { seen, server, target: `http://127.0.0.1:${(http.address() as AddressInfo).port}` }
}

async function makeSetup(frontEnd: TestedFrontEnd, options: GatewayOptions = {}) {
  const upstream = await makeUpstream()
  const gateway = await createGateway({
    frontEnd,
    log: 'silent',
    definitions: [
      defineApi({ id: 'open', target: upstream.target, open: true }),
      defineApi({ id: 'keyed', target: upstream.target }),
    ],
    ...options,
  })
  cleanups.push(() => gateway.close(0))
  const { port } = await gateway.listen(0, '127.0.0.1')
  const open = (path: string, protocols: string[] = [], wsOptions: WebSocket.ClientOptions = {}) => {
    const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols, wsOptions)
    cleanups.push(() => ws.terminate())
    return ws
  }
  return { upstream, gateway, port, open }
}

const opened = (ws: WebSocket) =>
  new Promise<void>((resolve, reject) => {
    ws.once('open', () => resolve())
    ws.once('error', reject)
  })
const nextMessage = (ws: WebSocket) =>
  new Promise<{ data: Buffer; isBinary: boolean }>((resolve) => {
    ws.once('message', (data, isBinary) => resolve({ data: data as Buffer, isBinary }))
  })
const closed = (ws: WebSocket) =>
  new Promise<{ code: number; reason: string }>((resolve) => {
    ws.once('close', (code, reason) => resolve({ code, reason: String(reason) }))
  })
const rejected = (ws: WebSocket) =>
  new Promise<{ status: number | undefined; headers: Record<string, unknown> }>((resolve, reject) => {
    ws.once('unexpected-response', (_req, res) => resolve({ status: res.statusCode, headers: res.headers }))
    ws.once('error', reject)
  })
const until = async (check: () => boolean) => {
  for (let waited = 0; !check(); waited += 5) {
    if (waited > 5000) throw new Error('waited in vain')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe.each(frontEnds)('a WebSocket over the %s front end', (frontEnd) => {
  it('carries text and bytes both ways, with the path and headers of an ordinary request', async () => {
    const { upstream, open } = await makeSetup(frontEnd)
    const ws = open('/open/room?x=1', [], { headers: { 'X-Mine': 'yes' } })
    await opened(ws)
    expect(upstream.seen.url).toBe('/room?x=1')
    expect(upstream.seen.headers).toMatchObject({ 'x-mine': 'yes', 'x-forwarded-for': '127.0.0.1' })
    ws.send('grüße')
    expect(String((await nextMessage(ws)).data)).toBe('grüße')
    const bytes = randomBytes(70_000)
    ws.send(bytes)
    const back = await nextMessage(ws)
    expect(back.isBinary).toBe(true)
    expect(back.data.equals(bytes)).toBe(true)
  })

  it('keeps the order of many messages of all lengths', async () => {
    const { open } = await makeSetup(frontEnd)
    const ws = open('/open/')
    await opened(ws)
    const lengths = Array.from({ length: 300 }, (_, i) => [0, 1, 125, 126, 127, 65_535, 65_536, 1000][i % 8] as number)
    const got: number[] = []
    const done = new Promise<void>((resolve) => {
      ws.on('message', (data) => {
        got.push((data as Buffer).length)
        if (got.length === lengths.length) resolve()
      })
    })
    for (const length of lengths) ws.send(Buffer.alloc(length, length & 0xff))
    await done
    expect(got).toEqual(lengths)
  })

  it('gives the chosen subprotocol, and passes closing words on in both directions', async () => {
    const { upstream, open } = await makeSetup(frontEnd)
    const first = open('/open/', ['a.v1', 'b.v2'])
    await opened(first)
    expect(first.protocol).toBe('b.v2')
    first.send('close')
    expect(await closed(first)).toEqual({ code: 4100, reason: 'asked for' })
    const second = open('/open/')
    await opened(second)
    second.close(4001, 'enough')
    expect((await closed(second)).code).toBe(4001)
    await until(() => upstream.seen.closes.length === 2)
    expect(upstream.seen.closes).toEqual([4100, 4001])
    expect(upstream.seen.reasons[1]).toBe('enough')
  })

  it('ends when either side goes away without a word', async () => {
    const { upstream, open } = await makeSetup(frontEnd)
    const ws = open('/open/')
    await opened(ws)
    ws.send('cut')
    expect((await closed(ws)).code).toBe(1006)
    const other = open('/open/')
    await opened(other)
    await until(() => upstream.server.clients.size === 1)
    other.terminate()
    await until(() => upstream.server.clients.size === 0)
  })

  it('carries a large message to a client that reads slowly', async () => {
    const { open } = await makeSetup(frontEnd)
    const ws = open('/open/')
    await opened(ws)
    ws.pause()
    ws.send('big 8000000')
    await new Promise((resolve) => setTimeout(resolve, 200))
    const message = nextMessage(ws)
    ws.resume()
    expect((await message).data.length).toBe(8_000_000)
  })

  it("passes the upstream's pings to the client", async () => {
    const { open } = await makeSetup(frontEnd)
    const ws = open('/open/ping')
    const message = nextMessage(ws)
    await opened(ws)
    expect(String((await message).data)).toBe('ponged tick')
  })

  it('is rejected as an ordinary request is', async () => {
    const { upstream, open } = await makeSetup(frontEnd)
    expect((await rejected(open('/keyed/'))).status).toBe(401)
    expect((await rejected(open('/nowhere/'))).status).toBe(404)
    expect(upstream.seen.url).toBe('')
    const response = await rejected(open('/open/rejected'))
    expect(response).toMatchObject({ status: 403, headers: { 'x-why': 'no' } })
  })

  it('is opened with a key', async () => {
    const { gateway, open } = await makeSetup(frontEnd)
    const { key } = await gateway.keys.create({ access_rights: { keyed: { api_id: 'keyed', versions: ['Default'] } } })
    const ws = open('/keyed/', [], { headers: { Authorization: key } })
    await opened(ws)
    ws.send('hello')
    expect(String((await nextMessage(ws)).data)).toBe('hello')
  })

  it('is an ordinary request where the configuration switches WebSockets off', async () => {
    const { open } = await makeSetup(frontEnd, { config: { http_server_options: { enable_websockets: false } } })
    expect((await rejected(open('/open/'))).status).toBe(200)
  })

  it('is cut when the gateway closes', async () => {
    const { gateway, open } = await makeSetup(frontEnd)
    const ws = open('/open/')
    await opened(ws)
    const over = closed(ws)
    const started = Date.now()
    await gateway.close(20_000)
    await over
    expect(Date.now() - started).toBeLessThan(15_000)
  })

  it('is not what a request for HTTP/2 becomes', async () => {
    const { port, upstream } = await makeSetup(frontEnd)
    const socket = connect(port, '127.0.0.1')
    const lines = ['GET /open/h2 HTTP/1.1', 'Host: a', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c']
    socket.write(`${[...lines, 'HTTP2-Settings: AAMAAABkAAQAAP__'].join('\r\n')}\r\n\r\n`)
    const text = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
    socket.destroy()
    expect(text).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(upstream.seen.url).toBe('')
  })
})

describe('another protocol', () => {
  it.each(['http1', 'node'] as const)('passes through the front end %s byte by byte', async (frontEnd) => {
    const http = createServer()
    http.on('upgrade', (req, socket) => {
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${req.headers.upgrade}\r\n\r\nhi`,
      )
      socket.on('data', (chunk) => socket.write(chunk.reverse()))
      socket.on('end', () => socket.end('bye'))
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => http.close())
    const target = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    const gateway = await createGateway({
      frontEnd,
      log: 'silent',
      definitions: [defineApi({ id: 'open', target, open: true })],
    })
    cleanups.push(() => gateway.close(0))
    const { port } = await gateway.listen(0, '127.0.0.1')
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (data) => {
      text += String(data)
    })
    socket.write('GET /open/ HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: mirror/1\r\n\r\nabc')
    await until(() => text.includes('cba'))
    expect(text).toMatch(/^HTTP\/1\.1 101 [\s\S]*upgrade: mirror\/1\r\n(?:[\s\S]*\r\n)?\r\nhi/i)
    socket.end()
    await until(() => text.endsWith('bye'))
  })
})
