/** Gateways that are programs of their own: nginx, HAProxy and Traefik, each with the limits of a test. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const children = new Set<ChildProcess>()
const folders: string[] = []
const servers: Server[] = []

/** Ends what the tests of a file have started. */
export function closePrograms(): void {
  // SIGTERM, because SIGKILL would leave the workers of nginx behind.
  for (const child of children) child.kill('SIGTERM')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
}

/**
 * Why the tests of a program are skipped, or `undefined` if they run. In CI they run, so that a missing program fails;
 * `inDebian` false: not there either, because CI cannot install it.
 */
export function without(
  program: string,
  install: string,
  { argument = '-v', inDebian = true } = {},
): string | undefined {
  const isFound = spawnSync(program, [argument]).error === undefined
  return isFound || (inDebian && process.env['CI']) ? undefined : `${program} is not installed (${install})`
}

/** nginx; `limits` are the zones by path, each for the key in `X-Key`. Returns its URL. */
export async function startNginx(limits: Readonly<Record<string, { rate: string; more?: string }>>): Promise<string> {
  const folder = makeFolder()
  mkdirSync(join(folder, 'temp'))
  const port = await freePort()
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 1000000; limit_req_status 429;
  ${temp.map((name) => `${name}_temp_path ${folder}/temp/${name};`).join(' ')}
  ${Object.entries(limits)
    .map(([name, { rate }]) => `limit_req_zone $http_x_key zone=${name}:1m rate=${rate};`)
    .join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    ${Object.entries(limits)
      .map(([name, { more = '' }]) => `location = /${name} { limit_req zone=${name} ${more}; try_files /x @ok; }`)
      .join('\n    ')}
    location @ok { return 200 "ok"; }
  }
}
`,
  )
  return start('nginx', ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], port)
}

/** HAProxy with the limit of its documentation: more than `count` requests within `period` are denied. Returns its URL. */
export async function startHaproxy({ count, period }: { count: number; period: string }): Promise<string> {
  const port = await freePort()
  const file = join(makeFolder(), 'haproxy.cfg')
  writeFileSync(
    file,
    `defaults
  mode http
  timeout client 10s
  timeout server 10s
  timeout connect 2s
frontend limited
  bind 127.0.0.1:${port}
  stick-table type string len 64 size 100k expire 60s store http_req_rate(${period})
  http-request track-sc0 hdr(X-Key)
  http-request deny deny_status 429 if { sc_http_req_rate(0) gt ${count} }
  http-request return status 200
`,
  )
  return start('haproxy', ['-db', '-f', file], port)
}

/** Traefik with the middleware rateLimit for the key in `X-Key`. Returns its URL. */
export async function startTraefik(limit: { average: number; period: string; burst: number }): Promise<string> {
  const folder = makeFolder()
  const port = await freePort()
  const upstream = await startUpstream()
  const dynamic = join(folder, 'dynamic.json')
  const middlewares = { limit: { rateLimit: { ...limit, sourceCriterion: { requestHeaderName: 'X-Key' } } } }
  const routers = { all: { rule: 'PathPrefix(`/`)', service: 'upstream', middlewares: ['limit'] } }
  const services = { upstream: { loadBalancer: { servers: [{ url: upstream }] } } }
  writeFileSync(dynamic, JSON.stringify({ http: { routers, middlewares, services } }))
  const args = [`--entryPoints.web.address=127.0.0.1:${port}`, `--providers.file.filename=${dynamic}`]
  const url = await start('traefik', args, port)
  await expectStatus(url, 200)
  return url
}

/** An HTTP server that responds with 200. Returns its URL. */
export async function startUpstream(): Promise<string> {
  const server = createServer((_, response) => response.end('ok'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-judge-'))
  folders.push(folder)
  return folder
}

async function start(program: string, args: readonly string[], port: number): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  let ended = false
  child.once('error', (cause) => (text += cause.message)).once('close', () => (ended = true))
  for (let tries = 0; tries < 500; tries += 1) {
    if (await isOpen(port)) return `http://127.0.0.1:${port}`
    if (ended) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`${program} does not listen: ${text}`)
}

async function expectStatus(url: string, status: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const response = await fetch(url, { headers: { 'X-Key': 'until-ready' } })
    await response.arrayBuffer()
    if (response.status === status) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${url} does not respond with ${status}`)
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
