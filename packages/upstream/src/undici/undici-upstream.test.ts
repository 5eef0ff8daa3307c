import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Upstream } from '@turnpike/core/ports'
import { connectionPoolCases, send, upstreamSuite } from '@turnpike/testkit/suites/upstream-suite'
import { afterEach, describe, expect, test } from 'vitest'
import { startEchoUpstream } from '../../../turnpike/src/echo-upstream/echo-upstream.ts'
import { realClock } from '../../test/real-clock.ts'
import { makeUndiciUpstream, type UndiciUpstreamOptions } from './undici-upstream.ts'

// undici ends chunked request bodies itself and does not support trailers.
upstreamSuite('undici', {
  make: () => makeUndiciUpstream({ clock: realClock }),
  startEcho: startEchoUpstream,
  sendsTrailers: false,
})

const closing: (() => Promise<unknown> | undefined)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function make(options: Partial<UndiciUpstreamOptions> = {}): Upstream {
  const upstream = makeUndiciUpstream({ clock: realClock, ...options })
  closing.push(() => upstream.close())
  return upstream
}

connectionPoolCases((options) => makeUndiciUpstream({ clock: realClock, ...options }), startEchoUpstream)

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

  test('rejects an untrusted certificate unless verification is off', async () => {
    const { port } = await secured()
    const upstream = make()
    const strict = upstream.connect(`https://localhost:${port}`, { insecure: false })
    expect(await send(strict)).toMatchObject({ kind: 'error', reason: 'broken', detail: 'tls-authority' })
    const lax = upstream.connect(`https://localhost:${port}`, { insecure: true })
    expect(await send(lax)).toMatchObject({ kind: 'response', status: 200 })
    expect(await send(strict)).toMatchObject({ kind: 'error' })
  })

  test('uses the host of the origin as server name for any Host header, and reuses the connection', async () => {
    const { port, names, connections } = await secured()
    const link = make().connect(`https://localhost:${port}`, { insecure: true })
    for (const host of ['one.example', 'two.example', 'one.example']) {
      expect(await send(link, { headers: ['host', host] })).toMatchObject({ kind: 'response' })
    }
    expect(names).toEqual(['localhost'])
    expect(connections()).toBe(1)
  })

  test('sends no server name for an IP address', async () => {
    const { port, names } = await secured()
    const link = make().connect(`https://127.0.0.1:${port}`, { insecure: true })
    expect(await send(link)).toMatchObject({ kind: 'response' })
    expect(await send(link, { headers: ['host', 'else.example'] })).toMatchObject({ kind: 'response' })
    expect(names).toEqual([false])
  })
})
