/**
 * A real Redis for tests: a redis-server process on a free TCP port, in a temporary folder, without persistence. A test
 * can kill, restart and suspend it to simulate outages.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../conformance/gateway-process.ts'

export interface RedisServer {
  readonly host: string
  readonly port: number
  /** Kills the process with SIGKILL. Its data is lost. */
  kill(): Promise<void>
  /** Starts an empty server on the same port. */
  start(): Promise<void>
  /** Suspends the process (SIGSTOP): connections stay open, but no command gets a reply. */
  suspend(): void
  /** Continues a suspended process (SIGCONT). */
  resume(): void
  /** Deletes all data. */
  flush(): Promise<void>
  /** Sends an inline command and resolves with the first line of the reply. */
  command(words: string): Promise<string>
  close(): Promise<void>
}

export interface RedisServerOptions {
  /** Additional command line arguments. */
  readonly args?: readonly string[]
  /** Configuration lines; if given, a Redis Sentinel is started instead of a server. */
  readonly sentinel?: readonly string[]
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>
}

/** Returns true if redis-server is installed. */
export function hasRedisServer(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0
}

/** Why tests that need Redis are skipped, or `undefined` if they run. In CI they always run, so that a missing server fails. */
export const withoutRedis: string | undefined =
  hasRedisServer() || process.env['CI'] ? undefined : 'redis-server is not installed (apt-get install redis-server)'

/** Appends the reason to the title of a test that is skipped. */
export function titleWithRedis(title: string): string {
  return withoutRedis === undefined ? title : `${title}, not run: ${withoutRedis}`
}

/** Starts a server. Rejects if it does not reply within 15 s. */
export async function startRedisServer({ args = [], sentinel, env }: RedisServerOptions = {}): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-redis-'))
  const port = await freePort()
  const host = '127.0.0.1'
  const command = (words: string) => ask(host, port, words)
  let child: ChildProcess | undefined

  const words = () => {
    const common = ['--port', String(port), '--bind', host, '--dir', folder]
    if (sentinel === undefined) return [...common, '--save', '', '--appendonly', 'no', ...args]
    const file = join(folder, 'sentinel.conf')
    writeFileSync(file, sentinel.join('\n'))
    return [file, '--sentinel', ...common]
  }
  const start = async () => {
    const started = spawn('redis-server', words(), { stdio: 'ignore', env: { ...process.env, ...env } })
    child = started
    let problem: Error | undefined
    started.once('error', (error) => {
      problem = error
    })
    for (let tried = 0; tried < 300; tried++) {
      if (problem !== undefined) throw problem
      const reply = await command('PING').catch(() => '')
      if (reply === '+PONG' || reply.startsWith('-NOAUTH')) return
      await sleep(50)
    }
    throw new Error('redis-server did not reply in 15 s')
  }
  const kill = async () => {
    const ending = child
    child = undefined
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGKILL')
    await ended
  }
  const killNow = () => child?.kill('SIGKILL')
  process.once('exit', killNow)

  await start()
  return {
    host,
    port,
    kill,
    start,
    suspend: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async flush() {
      await command('FLUSHALL')
    },
    command,
    async close() {
      process.removeListener('exit', killNow)
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function ask(host: string, port: number, words: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.write(`${words}\r\n`))
    let text = ''
    socket.setTimeout(5000, () => socket.destroy(new Error('no reply in 5 s')))
    socket.on('error', reject)
    socket.on('data', (bytes) => {
      text += bytes.toString()
      if (!text.includes('\r\n')) return
      resolve(text.slice(0, text.indexOf('\r\n')))
      socket.destroy()
    })
    socket.on('close', () => reject(new Error('closed without a reply')))
  })
}
