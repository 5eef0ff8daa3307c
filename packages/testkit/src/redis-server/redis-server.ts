/**
 * A real Redis for tests: a redis-server process on a free TCP port, in a temporary folder, without persistence. A test
 * can kill, restart and suspend it to simulate outages.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { aList, anObjectWith, aText, aWholeNumber, checkOptions } from '../check-input.ts'
import { freePort } from '../conformance/free-ports.ts'
import { askRedis, readFromRedis } from './inline-command.ts'

export { type NetworkLink, startNetworkLink } from './network-link.ts'

export interface RedisServer {
  readonly host: string
  readonly port: number
  /** Kills the process with SIGKILL. Its data is lost. */
  kill(): Promise<void>
  /** Starts the server again on the same port; without persistence it is empty. */
  start(): Promise<void>
  /** Suspends the process (SIGSTOP): connections stay open, but no command gets a reply. */
  suspend(): void
  /** Continues a suspended process (SIGCONT). */
  resume(): void
  /** Deletes all data. */
  flush(): Promise<void>
  /** Sends an inline command and resolves with the first line of the reply. */
  command(words: string): Promise<string>
  /** Sends an inline command whose reply is one text, such as INFO, and resolves with the text. Rejects on an error. */
  read(words: string): Promise<string>
  close(): Promise<void>
}

export interface RedisServerOptions {
  /** Name or path of the server. Default: `redisProgram`. */
  readonly program?: string
  /** Address to listen on. Default: 127.0.0.1. */
  readonly host?: string
  /** TCP port. Default: a free one. */
  readonly port?: number
  /** Command that starts the program, such as one that enters a network namespace. Default: none. */
  readonly launcher?: readonly string[]
  /** Additional command line arguments. */
  readonly args?: readonly string[]
  /** Configuration lines; if given, a Redis Sentinel is started instead of a server. */
  readonly sentinel?: readonly string[]
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>
}

/** Servers that tests can run, in order of preference. Valkey has the same commands. */
const programs = ['redis-server', 'valkey-server']

/** Returns true if a program of this name, or at this path, is installed. */
export function hasProgram(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0
}

/** The server that tests run: `TURNPIKE_REDIS_SERVER` (a name or a path), else redis-server, else valkey-server. */
export const redisProgram: string | undefined =
  process.env['TURNPIKE_REDIS_SERVER'] || programs.find((program) => hasProgram(program))

/** The command line client that is installed with the server. */
export const redisCli: string = (redisProgram ?? 'redis-server').replace(/server$/, 'cli')

/** Returns true if a server is installed. */
export function hasRedisServer(): boolean {
  return redisProgram !== undefined && hasProgram(redisProgram)
}

/** Why tests that need Redis are skipped, or `undefined` if they run. In CI they always run, so that a missing server fails. */
export const withoutRedis: string | undefined =
  hasRedisServer() || process.env['CI'] ? undefined : 'redis-server is not installed (apt-get install redis-server)'

/** Appends the reason to the title of a test that is skipped. */
export function titleWithRedis(title: string): string {
  return withoutRedis === undefined ? title : `${title}, not run: ${withoutRedis}`
}

/** Ends the servers of tests that end without closing them. */
const killAtExit = new Set<() => void>()
process.once('exit', () => {
  for (const killNow of killAtExit) killNow()
})

/** Starts a server. Rejects if it does not reply within 15 s. */
export async function startRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  checkOptions('startRedisServer', options, {
    ...{ program: aText, host: aText, port: aWholeNumber(1), launcher: aList },
    ...{ args: aList, sentinel: aList, env: anObjectWith() },
  })
  const { args = [], sentinel, env, host = '127.0.0.1', launcher = [] } = options
  const program = options.program ?? redisProgram ?? 'redis-server'
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-redis-'))
  const port = options.port ?? (await freePort())
  const command = (words: string) => askRedis(host, port, words)
  let child: ChildProcess | undefined

  const words = () => {
    const common = ['--port', String(port), '--bind', host, '--dir', folder]
    if (sentinel === undefined) return [...common, '--save', '', '--appendonly', 'no', ...args]
    const file = join(folder, 'sentinel.conf')
    writeFileSync(file, sentinel.join('\n'))
    return [file, '--sentinel', ...common, ...args]
  }
  const start = async () => {
    const [first = program, ...rest] = [...launcher, program, ...words()]
    const started = spawn(first, rest, { stdio: 'ignore', env: { ...process.env, ...env } })
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
    throw new Error(`${program} did not reply in 15 s`)
  }
  const kill = async () => {
    const ending = child
    child = undefined
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGKILL')
    await ended
  }
  const killNow = () => void child?.kill('SIGKILL')
  killAtExit.add(killNow)

  const close = async () => {
    killAtExit.delete(killNow)
    await kill()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await start()
  } catch (error) {
    await close()
    throw error
  }
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
    read: (words) => readFromRedis(host, port, words),
    close,
  }
}
