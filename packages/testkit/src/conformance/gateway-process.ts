/** Starts a gateway as a process in a temporary folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { send, suiteSecret } from './http-call.ts'
import { fill, type Values } from './placeholders.ts'
import type { Suite } from './recorded-suite.ts'

export interface GatewayProcess {
  readonly port: number
  readonly folder: string
  readonly values: Values
  /** Returns the last 20,000 characters that the process printed. */
  log(): string
  /** Sends SIGTERM, and SIGKILL after 3 s. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** The command and its arguments; `{conf}` is replaced by the path of the configuration file. */
  readonly command: readonly string[]
  readonly upstream: string
  /** Keys that override those of the suite's configuration. */
  readonly config?: Record<string, unknown>
  readonly env?: Record<string, string>
}

/** Writes the suite's files, starts the command and waits until the gateway is ready. Rejects with the end of its log. */
export async function startGateway(suite: Suite, options: StartOptions): Promise<GatewayProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'turnpike-conformance-'))
  const port = await freePort()
  const values: Values = { upstream: options.upstream, secret: suiteSecret, port, unique: `${port}${folder.slice(-6)}` }
  const conf = await writeFolder(folder, suite, values, options.config ?? {})
  const words = options.command.map((word) => word.replaceAll('{conf}', conf))
  const env = { ...process.env, ...options.env }
  const child = spawn(words[0] as string, words.slice(1), { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log = (log + text).slice(-20_000)))
  const gateway: GatewayProcess = { port, folder, values, log: () => log, stop: () => stop(child, folder) }
  try {
    await untilReady(port, child)
  } catch (cause) {
    await gateway.stop()
    throw new Error(`the gateway did not become ready (${String(cause)}):\n${log.slice(-2000)}`)
  }
  return gateway
}

async function writeFolder(folder: string, suite: Suite, values: Values, more: Record<string, unknown>) {
  const write = async (path: string, content: unknown) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  await mkdir(join(folder, 'apps'))
  await mkdir(join(folder, 'middleware'))
  for (const api of fill(suite.apis ?? [], values)) await write(`apps/${String(api['api_id'])}.json`, api)
  for (const [path, content] of Object.entries(fill(suite.files ?? {}, values))) await write(path, content)
  await write('policies/policies.json', fill(suite.policies ?? {}, values))
  const config = {
    listen_address: '127.0.0.1',
    listen_port: values['port'],
    secret: suiteSecret,
    app_path: join(folder, 'apps'),
    middleware_path: join(folder, 'middleware'),
    policies: { policy_source: 'file', policy_record_name: join(folder, 'policies', 'policies.json') },
    enable_analytics: false,
    allow_master_keys: false,
    hash_keys: false,
    enforce_org_quotas: true,
    ...fill(suite.config ?? {}, values),
    ...more,
  }
  await write('gateway.json', config)
  return join(folder, 'gateway.json')
}

async function untilReady(port: number, child: ChildProcess): Promise<void> {
  for (let tried = 0; tried < 600; tried++) {
    if (child.exitCode !== null) throw new Error(`exited with ${child.exitCode}`)
    const hello = await send(port, { path: '/hello' }, 'svc')
    if (hello.status === 200 && (await send(port, { path: '/ready' }, 'svc')).status !== 503) return
    await sleep(50)
  }
  throw new Error('no response to GET /hello in 30 s')
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    const killTimer = setTimeout(() => child.kill('SIGKILL'), 3000)
    await exited
    clearTimeout(killTimer)
  }
  await rm(folder, { recursive: true, force: true })
}

/** Returns a TCP port that is free at the time of the call. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1)
  return port as number
}

/** Returns different TCP ports that are free at the time of the call. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => net.createServer().listen(0, '127.0.0.1'))
  try {
    await Promise.all(servers.map((server) => once(server, 'listening')))
    return servers.map((server) => (server.address() as net.AddressInfo).port)
  } finally {
    for (const server of servers) server.close()
  }
}
