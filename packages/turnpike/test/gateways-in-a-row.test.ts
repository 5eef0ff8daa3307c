/**
 * Request smuggling: every message of the wire suite goes through two gateways in a row. If they read a message differently,
 * the upstream gets more requests than the client gets responses, or a later client gets the response of another one.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wireCases } from '@turnpike/testkit/suites/http-wire/malformed-cases'
import { rawExchange } from '@turnpike/testkit/suites/http-wire/raw-exchange'
import { hasResponse } from '@turnpike/testkit/suites/http-wire/wire-responses'
import { createGateway, defineApi } from 'turnpike'
import { afterAll, expect, it } from 'vitest'
import { freePort } from './support/process.ts'

const cleanups: (() => unknown)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup()
})

const missing = (program: string, argument: string) =>
  process.env['CI'] === undefined && spawnSync(program, [argument]).error !== undefined

/** Responds with the target of the request once it is complete, and remembers it. */
async function startUpstream() {
  const seen: string[] = []
  const server = createServer((request, response) => {
    const url = request.url ?? ''
    seen.push(url)
    request.resume().on('end', () => response.end(url))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { seen, port: (server.address() as AddressInfo).port }
}

/** Starts a proxy in front of a TCP port of this machine. Returns its own TCP port. */
type StartProxy = (to: number) => Promise<number>

const turnpike: StartProxy = async (to) => {
  const all = defineApi({ id: 'all', listenPath: '/', target: `http://127.0.0.1:${to}/`, open: true })
  const gateway = await createGateway({ frontEnd: 'http1', log: 'silent', store: 'memory', definitions: [all] })
  cleanups.push(() => gateway.close(0))
  return (await gateway.listen(0, '127.0.0.1')).port
}

const nginx =
  (location: string): StartProxy =>
  async (to) => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-nginx-'))
    const port = await freePort()
    const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
    const config = `daemon off; worker_processes 1; pid ${folder}/pid;
events {}
http {
  access_log off; ${temp.join(' ')}
  upstream behind { server 127.0.0.1:${to}; keepalive 4; }
  server { listen 127.0.0.1:${port}; location / { ${location} } }
}`
    writeFileSync(join(folder, 'nginx.conf'), config)
    const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]
    return start('nginx', args, port, folder)
  }

const haproxy: StartProxy = async (to) => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-haproxy-'))
  const port = await freePort()
  const config = `defaults
  mode http
  timeout client 5s
  timeout server 5s
  timeout connect 2s
listen all
  bind 127.0.0.1:${port}
  http-reuse always
  server behind 127.0.0.1:${to}
`
  writeFileSync(join(folder, 'haproxy.cfg'), config)
  return start('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], port, folder)
}

async function start(program: string, args: readonly string[], port: number, folder: string): Promise<number> {
  const child = spawn(program, args, { stdio: 'ignore' })
  cleanups.push(() => {
    child.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })
  const isOpen = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
  await expect.poll(isOpen, { timeout: 10_000 }).toBe(true)
  return port
}

const oldNginx = nginx('proxy_pass http://behind;')
const keepAliveNginx = nginx('proxy_pass http://behind; proxy_http_version 1.1; proxy_set_header Connection "";')

const chains: readonly (readonly [string, StartProxy, StartProxy, boolean])[] = [
  ['nginx with HTTP/1.0, then Turnpike', oldNginx, turnpike, missing('nginx', '-v')],
  ['nginx with HTTP/1.1, then Turnpike', keepAliveNginx, turnpike, missing('nginx', '-v')],
  ['HAProxy, then Turnpike', haproxy, turnpike, missing('haproxy', '-v')],
  ['Turnpike, then nginx', turnpike, keepAliveNginx, missing('nginx', '-v')],
  ['Turnpike, then HAProxy', turnpike, haproxy, missing('haproxy', '-v')],
  ['Turnpike, then Turnpike', turnpike, turnpike, false],
]

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a.test\r\n\r\n`

for (const [name, outer, inner, isMissing] of chains) {
  const title = isMissing ? `${name}, not run: a program is not installed (apt-get install nginx haproxy)` : name
  it.skipIf(isMissing)(`no request is smuggled through ${title}`, { timeout: 60_000 }, async () => {
    const upstream = await startUpstream()
    const port = await outer(await inner(upstream.port))
    // nginx serves HTTP/0.9, whose responses have no status line.
    const queue = wireCases.map((wireCase, i) => [wireCase, i] as const).filter(([one]) => one.name !== 'HTTP/0.9')
    const smuggled: string[] = []
    /** Returns what is wrong after a message, whose path begins with `marker`. */
    const problemOf = async (bytes: string, marker: string, waitMs: number): Promise<string | undefined> => {
      const { text } = await rawExchange(port, bytes.replace('/x', marker) + get(`${marker}behind`), { waitMs })
      const responses = [...text.matchAll(/HTTP\/1\.[01] [2-5]\d\d/g)].length
      const requests = upstream.seen.filter((url) => url.includes(marker)).length
      if (requests > responses) return `${requests} requests, ${responses} responses`
      const { text: own } = await rawExchange(port, get(`${marker}canary`), { until: hasResponse })
      return own.endsWith(`${marker}canary`) ? undefined : `the next client got ${own.slice(0, 200)}`
    }
    const lane = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [{ name: message, bytes }, i] = next
        // A response that is late on a busy machine is not smuggled: the second time the client waits longer.
        const first = await problemOf(bytes, `/case-${i}-`, 300)
        const problem = first && (await problemOf(bytes, `/again-${i}-`, 3_000))
        if (problem !== undefined) smuggled.push(`${message}: ${problem}`)
      }
    }
    await Promise.all(Array.from({ length: 4 }, lane))
    expect(smuggled).toEqual([])
    // The chain works: a valid request arrives, and the one behind it.
    expect(upstream.seen.length).toBeGreaterThan(wireCases.length)
  })
}
