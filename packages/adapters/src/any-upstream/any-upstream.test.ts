import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { collect, type Tunnel, type Upstream, type UpstreamResponse } from '@turnpike/core'
import { startEchoUpstream } from '@turnpike/echo-upstream'
import { send } from '@turnpike/testkit/suites/upstream-suite'
import { afterEach, describe, expect, test } from 'vitest'
import { makeAnyUpstream } from './any-upstream.ts'

const closing: (() => Promise<unknown> | undefined)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function make(client: 'auto' | 'undici' = 'auto'): Upstream {
  const upstream = makeAnyUpstream({ client })
  closing.push(() => upstream.close())
  return upstream
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

  test('uses the configured proxy', async () => {
    const echo = await startEchoUpstream()
    closing.push(() => echo.close())
    const link = make().connect('http://behind.example', { insecure: false, proxyUrl: echo.url })
    const response = (await send(link, { path: '/there' })) as UpstreamResponse
    expect(JSON.parse(Buffer.from(response.body as Uint8Array).toString()).url).toContain('behind.example/there')
  })
})
