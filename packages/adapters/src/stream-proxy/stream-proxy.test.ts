import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import type { Listening, StreamRoute } from '@turnpike/core'
import { afterEach, describe, expect, it } from 'vitest'
import { cert, key } from '../testing/local-certificate.ts'
import { makeStreamProxy, type StreamProxyOptions } from './stream-proxy.ts'

const releases: (() => unknown)[] = []
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release()
})

async function serve(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => open.add(socket))
  releases.push(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A target that answers, when the client has sent all, what it got. */
const answersAtTheEnd = (socket: Socket) => {
  const got: Buffer[] = []
  socket.on('data', (chunk: Buffer) => got.push(chunk))
  socket.on('end', () => socket.end(`got ${Buffer.concat(got)}`))
  socket.on('error', () => {})
}

const routeTo = (port: number, more: Partial<StreamRoute> = {}): StreamRoute => ({
  apiId: 'db',
  admits: () => true,
  pick: () => ({ host: '127.0.0.1', port, secure: false }),
  insecure: false,
  ...more,
})

async function open(
  route: StreamRoute | undefined,
  options: StreamProxyOptions = {},
  tls?: object,
): Promise<Listening> {
  const listening = await makeStreamProxy(options).listen(() => route, { host: '127.0.0.1', port: 0 }, tls)
  releases.push(() => listening.close(0))
  return listening
}

/** `once` would reject where the connection is reset. */
const closed = (socket: Socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve()))

async function allOf(socket: Socket): Promise<string> {
  const got: Buffer[] = []
  socket.on('data', (chunk: Buffer) => got.push(chunk))
  socket.on('error', () => {})
  socket.on('end', () => socket.end())
  await closed(socket)
  return Buffer.concat(got).toString()
}

function call(port: number): Socket {
  return connect({ port, host: '127.0.0.1', allowHalfOpen: true })
}

describe('a port where bytes pass as they are', () => {
  it('joins a connection to the target, and lets one half end before the other', async () => {
    const port = await serve(createServer({ allowHalfOpen: true }, answersAtTheEnd))
    const { port: own } = await open(routeTo(port))
    const client = call(own)
    client.end('\x00\xffall')
    expect(await allOf(client)).toBe('got \x00\xffall')
  })

  it('passes many bytes on whole, both ways, held back by the slower side', async () => {
    const port = await serve(createServer({ allowHalfOpen: true }, (socket) => void socket.pipe(socket)))
    const { port: own } = await open(routeTo(port))
    const client = call(own)
    const bytes = Buffer.alloc(8_000_000, 'abcdefg')
    client.end(bytes)
    const got: Buffer[] = []
    for await (const chunk of client) got.push(chunk as Buffer)
    expect(Buffer.concat(got).equals(bytes)).toBe(true)
  })

  it('speaks TLS with the client where it is told to, and with the target where that is one of TLS', async () => {
    const port = await serve(createTlsServer({ key, cert, allowHalfOpen: true }, answersAtTheEnd))
    const secure = { pick: () => ({ host: 'localhost', port, secure: true }) }
    const { port: own } = await open(routeTo(port, { ...secure, insecure: true }), {}, { key, cert })
    const place = { port: own, host: '127.0.0.1', allowHalfOpen: true }
    const client = connectTls({ ...place, ca: cert, servername: 'localhost' })
    client.end('hidden')
    expect(await allOf(client)).toBe('got hidden')
  })

  it('closes connections when the certificate of the target is not trusted', async () => {
    const port = await serve(createTlsServer({ key, cert }, answersAtTheEnd))
    const { port: own } = await open(routeTo(port, { pick: () => ({ host: 'localhost', port, secure: true }) }))
    const client = call(own)
    client.write('hidden')
    expect(await allOf(client)).toBe('')
  })

  it('closes connections without a route, from addresses that are not admitted, and to targets that are away', async () => {
    const gone = createServer()
    const port = await serve(gone)
    const away = await new Promise<number>((resolve) => gone.close(() => resolve(port)))
    for (const route of [undefined, routeTo(away, { admits: () => false }), routeTo(away)]) {
      const { port: own } = await open(route)
      expect(await allOf(call(own))).toBe('')
    }
  })

  it('ends with the target: what broke off there breaks off here', async () => {
    const port = await serve(createServer((socket) => void setImmediate(() => socket.resetAndDestroy())))
    const { port: own } = await open(routeTo(port))
    const client = call(own)
    client.on('error', () => {})
    await closed(client)
    // Neither half ended as it should: nobody takes what came for all there was.
    expect([client.readableEnded, (client.errored as NodeJS.ErrnoException).code]).toEqual([false, 'ECONNRESET'])
  })

  it('ends connections on which nothing passes', async () => {
    const port = await serve(createServer(() => {}))
    const { port: own } = await open(routeTo(port), { idleMs: 50 })
    expect(await allOf(call(own))).toBe('')
  })

  it('lets connections finish when it closes, and cuts them when the time is over', async () => {
    const port = await serve(createServer({ allowHalfOpen: true }, answersAtTheEnd))
    const listening = await open(routeTo(port))
    const client = call(listening.port)
    client.write('be')
    await once(client, 'connect')
    const drained = listening.close(20_000)
    await expect(once(call(listening.port), 'connect')).rejects.toThrow()
    client.end('fore')
    expect(await allOf(client)).toBe('got before')
    await drained

    const other = await open(routeTo(port))
    const silent = call(other.port)
    await once(silent, 'connect')
    await other.close(10)
    expect(await allOf(silent)).toBe('')
  })

  it('names the port that is in use', async () => {
    const port = await serve(createServer())
    const listening = makeStreamProxy().listen(() => undefined, { host: '127.0.0.1', port })
    await expect(listening).rejects.toThrow(`port ${port} on 127.0.0.1 is already in use`)
  })
})
