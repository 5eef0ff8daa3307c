/**
 * A real Redis for tests: a redis-server of their own on a free port, in a temporary folder, without persistence. It
 * can be killed, started again, and held, so that a test can watch what happens when Redis goes away.
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
  /** Ends it at once, as a crash would; what it held is lost. */
  kill(): Promise<void>
  /** Starts it again on the same port, empty. */
  start(): Promise<void>
  /** Holds the process: connections stand, and nothing is answered. */
  hold(): void
  goOn(): void
  /** Forgets everything. */
  flush(): Promise<void>
  /** Sends a command of plain words and resolves with the first line of the reply. */
  command(words: string): Promise<string>
  close(): Promise<void>
}

export interface RedisServerOptions {
  /** Further arguments of the command line. */
  readonly args?: readonly string[]
  /** Runs a sentinel with these lines of configuration instead of a server. */
  readonly sentinel?: readonly string[]
  /** Further variables of its environment. */
  readonly env?: Readonly<Record<string, string>>
}

/** Whether there is a redis-server to start. */
export function hasRedisServer(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0
}

/** Why tests that need one cannot run here; `undefined`: they can. In CI they run, and fail, all the same. */
export const withoutRedis: string | undefined =
  hasRedisServer() || process.env['CI'] ? undefined : 'redis-server is not installed (apt-get install redis-server)'

/** A title of tests that need one, with the reason where they are not run. */
export function titleWithRedis(title: string): string {
  return withoutRedis === undefined ? title : `${title}, not run: ${withoutRedis}`
}

/** Starts one. Rejects when it does not answer in 15 s. */
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
    throw new Error('redis-server did not answer in 15 s')
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
    hold: () => void child?.kill('SIGSTOP'),
    goOn: () => void child?.kill('SIGCONT'),
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
