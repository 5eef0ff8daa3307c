/**
 * A real Redis for a test file: on a free port, in a temporary folder, without persistence. Where no redis-server is
 * installed tests are named as not run, except in CI, where that is a failure.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

export interface RedisServer {
  readonly host: string
  readonly port: number
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
  /** Starts it again on the same port, empty. */
  start(): Promise<void>
  /** Holds the process (`SIGSTOP`): connections stand, nothing is answered. */
  hold(): void
  goOn(): void
  close(): Promise<void>
}

const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0

/** Why tests that need a Redis cannot run here; `undefined`: they can. */
export const withoutRedis = hasRedisServer || process.env['CI'] ? undefined : 'redis-server is not installed'

/** Starts a server; `extra` are further arguments. Rejects when it does not answer in 15 s. */
export async function startRedisServer(extra: readonly string[] = []): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-redis-'))
  const port = await freePort()
  const host = '127.0.0.1'
  let child: ChildProcess | undefined

  const start = async () => {
    const args = ['--port', String(port), '--bind', host, '--save', '', '--appendonly', 'no', '--dir', folder, ...extra]
    child = spawn('redis-server', args, { stdio: 'ignore' })
    const failed = new Promise<never>((_, reject) => child?.once('error', reject))
    await Promise.race([answers(host, port), failed])
  }
  const kill = async () => {
    const ending = child
    child = undefined
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGKILL')
    await ended
  }

  await start()
  return {
    host,
    port,
    kill,
    start,
    hold: () => void child?.kill('SIGSTOP'),
    goOn: () => void child?.kill('SIGCONT'),
    async close() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answers(host: string, port: number): Promise<void> {
  const probe = new Redis({ host, port, maxRetriesPerRequest: null, retryStrategy: () => 20, protocol: 2 })
  probe.on('error', () => undefined)
  const tooLate = setTimeout(() => probe.disconnect(), 15_000)
  try {
    await probe.ping()
  } finally {
    clearTimeout(tooLate)
    probe.disconnect()
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
