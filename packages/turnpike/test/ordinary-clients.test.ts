/**
 * Programs that people use, as clients of the gateway: curl, ab, autocannon; slow clients, and ten thousand that do
 * nothing. nginx and HAProxy as clients are in gateways-in-a-row.test.ts.
 */
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { openRaw, rawExchange } from '@turnpike/testkit/suites/http-wire/raw-exchange'
import autocannon from 'autocannon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Folder, makeFolder, openApi } from './support/folder.ts'
import { type RunningGateway, startGateway } from './support/process.ts'
import { type RecordingUpstream, startRecordingUpstream } from './support/upstream.ts'

const run = promisify(execFile)

/** Why a program cannot be tested; in CI it must be there. */
const without = (program: string, debian: string) =>
  process.env['CI'] === undefined && spawnSync(program, ['-V']).error !== undefined
    ? `, not run: ${program} is not installed (apt-get install ${debian})`
    : ''

describe.each(['http1', 'node'] as const)('a gateway with the front end %s', (frontEnd) => {
  let folder: Folder
  let upstream: RecordingUpstream
  let gateway: RunningGateway
  beforeAll(async () => {
    upstream = await startRecordingUpstream()
    folder = makeFolder({ front_end: frontEnd, storage: { type: 'memory' } })
    folder.write('apps/api.json', openApi('api', upstream.url))
    gateway = await startGateway(folder)
  })
  afterAll(async () => {
    gateway.child.kill('SIGKILL')
    await upstream.close()
    folder.remove()
  })

  const noCurl = without('curl', 'curl')
  it.skipIf(noCurl !== '').each([
    ['HTTP/1.0', ['--http1.0']],
    ['HTTP/1.1', ['--http1.1']],
    ['HTTP/1.1, two requests on a connection', ['--http1.1', '{url}']],
    ['an absolute target, as to a proxy', ['--proxy', '{origin}']],
    ['a body that is announced', ['--data', 'a=b']],
    ['a chunked body', ['--data', 'a=b', '-H', 'Transfer-Encoding: chunked']],
    ['Expect: 100-continue', ['--data', 'a=b', '-H', 'Expect: 100-continue']],
    ['HTTP/1.0 with keep-alive', ['--http1.0', '-H', 'Connection: keep-alive', '{url}']],
    ['an upgrade to HTTP/2 that is not wanted', ['--http2']],
  ])(`serves curl: %s${noCurl}`, async (_name, options) => {
    const url = `${gateway.url}/api/x`
    const words = options.map((word) => word.replace('{url}', url).replace('{origin}', gateway.url))
    const seen = upstream.seen.length
    const { stdout } = await run('curl', ['-sS', '--max-time', '20', '-w', ' %{http_code}\n', ...words, url])
    const requests = options.includes('{url}') ? 2 : 1
    expect(stdout).toBe('ok 200\n'.repeat(requests))
    expect(upstream.seen.slice(seen).map(({ body }) => body)).toEqual(
      Array.from({ length: requests }, () => (options.includes('--data') ? 'a=b' : '')),
    )
  })

  const noAb = without('ab', 'apache2-utils')
  it.skipIf(noAb !== '').each([
    ['a connection per request', []],
    ['keep-alive', ['-k']],
  ])(`serves ab, which speaks HTTP/1.0: %s${noAb}`, async (_name, options) => {
    const { stdout } = await run('ab', ['-n', '500', '-c', '20', ...options, `${gateway.url}/api/x`])
    expect(stdout).toMatch(/^Complete requests: +500$/m)
    expect(stdout).toMatch(/^Failed requests: +0$/m)
    expect(stdout).not.toMatch(/Non-2xx/)
    if (options.length > 0) expect(stdout).toMatch(/^Keep-Alive requests: +500$/m)
  })

  it('serves autocannon, which pipelines', async () => {
    const [connections, pipelining, amount] = [10, 8, 2_000]
    const found = await autocannon({ url: `${gateway.url}/api/x`, connections, pipelining, amount })
    expect([found.non2xx, found.errors, found.timeouts]).toEqual([0, 0, 0])
    // It does not count the responses that are still on the way when a connection has sent its share.
    expect(found['2xx']).toBeGreaterThanOrEqual(amount - connections * (pipelining - 1))
  })

  it('serves others while slow clients of seven kinds hold their connections', async () => {
    const head = 'POST /api/slow HTTP/1.1\r\nHost: a.test\r\n'
    const starts = [
      '',
      'GE',
      `${head}X-A`,
      `${head}Content-Length: 1000\r\n\r\nabc`,
      `${head}Transfer-Encoding: chunked\r\n\r\n3`,
      `${head}Expect: 100-continue\r\nContent-Length: 3\r\n\r\n`,
      'GET /api/x?delay=3000 HTTP/1.1\r\nHost: a.test\r\n\r\n',
    ]
    const slow = await Promise.all(
      starts.flatMap((bytes) => Array.from({ length: 20 }, () => hold(gateway.port, bytes))),
    )
    const [fast] = await Promise.all([
      rawExchange(gateway.port, 'GET /api/fast HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n', {
        waitMs: 5_000,
      }),
    ])
    expect(fast.text).toMatch(/^HTTP\/1\.1 200 [\s\S]*ok$/)
    for (const socket of slow) socket.destroy()
    await expect.poll(async () => (await fetch(`${gateway.url}/api/x`)).status).toBe(200)
  })

  it('keeps ten thousand idle connections, and serves', { timeout: 120_000 }, async () => {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync(`/proc/${gateway.child.pid}/limits`, 'utf8'))?.[1]
    // Both ends are in different processes, each of which needs a descriptor for each connection.
    const count = Math.min(10_000, Number(limit) - 1_000)
    const sockets: Socket[] = []
    while (sockets.length < count) {
      sockets.push(...(await Promise.all(Array.from({ length: 200 }, () => hold(gateway.port, '')))))
    }
    const { socket, received } = await openRaw(gateway.port)
    socket.write('GET /api/x HTTP/1.1\r\nHost: a.test\r\n\r\n')
    await expect.poll(received).toMatch(/^HTTP\/1\.1 200 [\s\S]*ok/)
    const last = sockets.at(-1) as Socket
    last.write('GET /api/x HTTP/1.1\r\nHost: a.test\r\n\r\n')
    expect(String((await once(last, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
    socket.destroy()
    for (const one of sockets) one.destroy()
    await expect.poll(async () => (await fetch(`${gateway.url}/api/x`)).status).toBe(200)
    expect(gateway.isAlive()).toBe(true)
  })
})

/** Opens a connection, sends the bytes and leaves it. */
function hold(port: number, bytes: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.off('error', reject).on('error', () => undefined)
      if (bytes !== '') socket.write(bytes)
      resolve(socket)
    })
    socket.once('error', reject)
  })
}
