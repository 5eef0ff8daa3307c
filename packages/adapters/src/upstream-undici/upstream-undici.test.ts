import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ByteStream, Upstream, UpstreamAnswer, UpstreamLink, UpstreamRequest } from '@turnpike/core'
import { startEchoUpstream } from '@turnpike/testkit'
import { upstreamSuite } from '@turnpike/testkit/suites/upstream-suite'
import { afterEach, describe, expect, test } from 'vitest'
import { makeUndiciUpstream, type UndiciUpstreamOptions } from './upstream-undici.ts'

// undici writes chunks to their end by itself, without trailers.
upstreamSuite('undici', () => makeUndiciUpstream(), { sendsTrailers: false })

const closing: (() => Promise<unknown> | undefined)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function make(options: UndiciUpstreamOptions = {}): Upstream {
  const upstream = makeUndiciUpstream(options)
  closing.push(() => upstream.close())
  return upstream
}

async function echo(): Promise<string> {
  const server = await startEchoUpstream()
  closing.push(() => server.close())
  return server.url
}

const send = (link: UpstreamLink, request: Partial<UpstreamRequest> = {}) =>
  link.send({
    method: 'GET',
    path: '/',
    headers: ['host', 'test'],
    body: undefined,
    bodyLength: undefined,
    timeoutMs: 5000,
    unpack: false,
    ...request,
  })

describe('connections', () => {
  test('at their most let further calls wait, in turn and within their timeout', async () => {
    const link = make({ maxConnections: 2 }).connect(await echo(), { insecure: false })
    const ended: number[] = []
    const calls = Array.from({ length: 6 }, (_, i) =>
      send(link, { path: `/?delay=60&n=${i}` }).then((result) => {
        ended.push(i)
        return result.kind
      }),
    )
    const late = send(link, { timeoutMs: 30 })
    expect(await late).toMatchObject({ kind: 'fault', reason: 'timeout' })
    expect(await Promise.all(calls)).toEqual(Array(6).fill('answer'))
    expect([...ended].sort()).toEqual(ended)
  })

  test('that wait can be given up', async () => {
    const link = make({ maxConnections: 1 }).connect(await echo(), { insecure: false })
    const first = send(link, { path: '/?delay=100' })
    let cancel = () => {}
    const second = send(link, {
      onStart(give) {
        cancel = give
      },
    })
    cancel()
    expect(await second).toMatchObject({ reason: 'cancelled' })
    expect(await first).toMatchObject({ kind: 'answer' })
    expect(await send(link)).toMatchObject({ kind: 'answer' })
  })

  test('are told as broken once the adapter is closed, and calls under way end', async () => {
    const upstream = make()
    const link = upstream.connect(await echo(), { insecure: false })
    const underWay = send(link, { path: '/?delay=1000' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    await upstream.close()
    expect(await underWay).toMatchObject({ kind: 'fault' })
    expect(await send(link)).toMatchObject({ kind: 'fault', reason: 'broken' })
  })

  test('leave nothing behind when hundreds of calls are cut in the middle', async () => {
    const open = new Set<Socket>()
    const server = createServer((socket) => {
      open.add(socket)
      socket.on('close', () => open.delete(socket))
      socket.on('error', () => {})
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nstart'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => new Promise((resolve) => server.close(resolve)))
    const link = make().connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { insecure: false })
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => send(link)))
      for (const answer of answers) ((answer as UpstreamAnswer).body as ByteStream).cancel()
    }
    for (let i = 0; i < 100 && open.size > 0; i++) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(open.size).toBe(0)
  })
})

describe('TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-tls-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const args = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'.split(
    ' ',
  )
  execFileSync('openssl', [...args, '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' })
  const identity = { key: readFileSync(keyFile), cert: readFileSync(certFile) }
  rmSync(folder, { recursive: true })

  async function secured(): Promise<{ port: number; names: (string | false)[]; connections(): number }> {
    const names: (string | false)[] = []
    const server = createTlsServer(identity, (_, response) => response.end('safe'))
    server.on('secureConnection', (socket) => names.push(socket.servername as string | false))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    })
    return { port: (server.address() as AddressInfo).port, names, connections: () => names.length }
  }

  test('a certificate that nobody vouches for is refused, unless it is not to be checked', async () => {
    const { port } = await secured()
    const upstream = make()
    const strict = upstream.connect(`https://localhost:${port}`, { insecure: false })
    expect(await send(strict)).toMatchObject({ kind: 'fault', reason: 'broken' })
    const lax = upstream.connect(`https://localhost:${port}`, { insecure: true })
    expect(await send(lax)).toMatchObject({ kind: 'answer', status: 200 })
    expect(await send(strict)).toMatchObject({ kind: 'fault' })
  })

  test('the server name is the origin’s, whatever host the request names, and the connection is kept', async () => {
    const { port, names, connections } = await secured()
    const link = make().connect(`https://localhost:${port}`, { insecure: true })
    for (const host of ['one.example', 'two.example', 'one.example']) {
      expect(await send(link, { headers: ['host', host] })).toMatchObject({ kind: 'answer' })
    }
    expect(names).toEqual(['localhost'])
    expect(connections()).toBe(1)
  })

  test('an address is no server name', async () => {
    const { port, names } = await secured()
    const link = make().connect(`https://127.0.0.1:${port}`, { insecure: true })
    expect(await send(link)).toMatchObject({ kind: 'answer' })
    expect(await send(link, { headers: ['host', 'else.example'] })).toMatchObject({ kind: 'answer' })
    expect(names).toEqual([false])
  })
})
