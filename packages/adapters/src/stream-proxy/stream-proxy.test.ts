import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import type { Listening } from '@turnpike/core/ports'
import type { StreamRoute } from '@turnpike/core/route'
import { afterEach, describe, expect, it } from 'vitest'
import { cert, key } from '../../../upstream/test/local-certificate.ts'
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

/** A target that sends back all received bytes after the client has finished sending. */
const echoAtEnd = (socket: Socket) => {
  const got: Buffer[] = []
  socket.on('data', (chunk: Buffer) => got.push(chunk))
  socket.on('end', () => socket.end(`got ${Buffer.concat(got)}`))
  socket.on('error', () => {})
}

const routeTo = (port: number, more: Partial<StreamRoute> = {}): StreamRoute => ({
  apiId: 'db',
  admits: () => true,
  nextTarget: () => ({ host: '127.0.0.1', port, secure: false }),
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

/** Unlike `once` of node:events, this does not reject if the connection is reset. */
const closed = (socket: Socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve()))

async function readAll(socket: Socket): Promise<string> {
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

describe('the stream proxy', () => {
  it('pipes a connection to the target and supports half-closed connections', async () => {
    const port = await serve(createServer({ allowHalfOpen: true }, echoAtEnd))
    const { port: own } = await open(routeTo(port))
    const client = call(own)
    client.end('\x00\xffall')
    expect(await readAll(client)).toBe('got \x00\xffall')
  })

  it('transfers large amounts of data in both directions', async () => {
    const port = await serve(createServer({ allowHalfOpen: true }, (socket) => void socket.pipe(socket)))
    const { port: own } = await open(routeTo(port))
    const client = call(own)
    const bytes = Buffer.alloc(8_000_000, 'abcdefg')
    client.end(bytes)
    const got: Buffer[] = []
    for await (const chunk of client) got.push(chunk as Buffer)
    expect(Buffer.concat(got).equals(bytes)).toBe(true)
  })

  it('supports TLS with the client and with the target', async () => {
    const port = await serve(createTlsServer({ key, cert, allowHalfOpen: true }, echoAtEnd))
    const secure = { nextTarget: () => ({ host: 'localhost', port, secure: true }) }
    const { port: own } = await open(routeTo(port, { ...secure, insecure: true }), {}, { key, cert })
    const address = { port: own, host: '127.0.0.1', allowHalfOpen: true }
    const client = connectTls({ ...address, ca: cert, servername: 'localhost' })
    client.end('hidden')
    expect(await readAll(client)).toBe('got hidden')
  })

  it('closes connections if the certificate of the target is not trusted', async () => {
    const port = await serve(createTlsServer({ key, cert }, echoAtEnd))
    const { port: own } = await open(routeTo(port, { nextTarget: () => ({ host: 'localhost', port, secure: true }) }))
    const client = call(own)
    client.write('hidden')
    expect(await readAll(client)).toBe('')
  })

  it('closes connections without a route, from rejected addresses, and to unreachable targets', async () => {
    const gone = createServer()
    const port = await serve(gone)
    const away = await new Promise<number>((resolve) => gone.close(() => resolve(port)))
    for (const route of [undefined, routeTo(away, { admits: () => false }), routeTo(away)]) {
      const { port: own } = await open(route)
      expect(await readAll(call(own))).toBe('')
    }
  })

  it('closes the connection if its target cannot be determined or is not valid', async () => {
    const failing: StreamRoute['nextTarget'][] = [
      () => Promise.reject(new Error('no target')),
      () => ({ host: '127.0.0.1', port: 99_999, secure: false }),
    ]
    for (const nextTarget of failing) {
      const { port: own } = await open(routeTo(1, { nextTarget }))
      expect(await readAll(call(own))).toBe('')
    }
  })

  it('resets the client if the target resets the connection', async () => {
    const port = await serve(createServer((socket) => void setImmediate(() => socket.resetAndDestroy())))
    const { port: own } = await open(routeTo(port))
    const client = call(own)
    client.on('error', () => {})
    await closed(client)
    // The client must not take the received bytes for a complete transfer.
    expect([client.readableEnded, (client.errored as NodeJS.ErrnoException).code]).toEqual([false, 'ECONNRESET'])
  })

  it('closes idle connections', async () => {
    const port = await serve(createServer(() => {}))
    const { port: own } = await open(routeTo(port), { idleTimeoutMs: 50 })
    expect(await readAll(call(own))).toBe('')
  })

  it('waits for connections when it closes, and destroys them after the grace period', async () => {
    const port = await serve(createServer({ allowHalfOpen: true }, echoAtEnd))
    const listening = await open(routeTo(port))
    const client = call(listening.port)
    client.write('be')
    await once(client, 'connect')
    const drained = listening.close(20_000)
    await expect(once(call(listening.port), 'connect')).rejects.toThrow()
    client.end('fore')
    expect(await readAll(client)).toBe('got before')
    await drained

    const other = await open(routeTo(port))
    const silent = call(other.port)
    await once(silent, 'connect')
    await other.close(10)
    expect(await readAll(silent)).toBe('')
  })

  it('rejects with the port that is in use', async () => {
    const port = await serve(createServer())
    const listening = makeStreamProxy().listen(() => undefined, { host: '127.0.0.1', port })
    await expect(listening).rejects.toThrow(`port ${port} on 127.0.0.1 is already in use`)
  })
})
