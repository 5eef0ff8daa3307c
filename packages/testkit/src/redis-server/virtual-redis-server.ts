/**
 * A real Redis with a virtual time: a test sets the time that TIME, key expiry and scripts use, so that months of quota
 * take no real time. libfaketime (a Debian package) reads the time from a file and overrides the clock of the process.
 *
 * Valkey does not start with libfaketime, so redis-server runs even if other tests run on Valkey.
 *
 * LD_PRELOAD also names libc: without it, the allocator of Redis and libfaketime deadlock at the start. The monotonic
 * clock is not faked, since the server's own timers use it.
 */
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Millis } from '@turnpike/core/lib'
import { virtualEpoch } from '../virtual-clock.ts'
import {
  hasProgram,
  type RedisServer,
  type RedisServerOptions,
  redisProgram,
  startRedisServer,
} from './redis-server.ts'

export interface VirtualRedisServer extends RedisServer {
  /** Sets the time in whole milliseconds since 1970, forward or back. It applies to all later commands and then stands still. */
  moveTo(now: Millis): void
}

/** Returns the path of the library, or `undefined` if it is not installed. The folder depends on the architecture. */
function findFaketime(): string | undefined {
  const library = 'faketime/libfaketimeMT.so.1'
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib').map((name) => join('/usr/lib', name)) : []
  return ['/usr/lib', ...folders].map((folder) => join(folder, library)).find((path) => existsSync(path))
}

const faketime = findFaketime()

/** `redisProgram`, unless it is Valkey. */
const virtualProgram = redisProgram?.includes('valkey') ? 'redis-server' : (redisProgram ?? 'redis-server')

/** Why tests that need this server are skipped, or `undefined` if they run. In CI they always run, so that a missing tool fails. */
export const withoutVirtualRedis: string | undefined =
  process.env['CI'] || (hasProgram(virtualProgram) && faketime !== undefined)
    ? undefined
    : 'redis-server or libfaketime is not installed (apt-get install redis-server libfaketime)'

/** Appends the reason to the title of a test that is skipped. */
export function titleWithVirtualRedis(title: string): string {
  return withoutVirtualRedis === undefined ? title : `${title}, not run: ${withoutVirtualRedis}`
}

/** Starts a server at the time `virtualEpoch`. Rejects if it does not reply within 15 s or libfaketime is not installed. */
export async function startVirtualRedisServer(options: RedisServerOptions = {}): Promise<VirtualRedisServer> {
  if (faketime === undefined) throw new Error('libfaketime is not installed (apt-get install libfaketime)')
  const libc = join(dirname(dirname(faketime)), 'libc.so.6')
  const folder = makeFolder()
  const file = join(folder, 'now')
  let current: Millis | undefined
  const moveTo = (now: Millis) => {
    if (now === current) return
    current = now
    // A rename is atomic: the server never reads a partly written file.
    writeFileSync(`${file}~`, timeText(now))
    renameSync(`${file}~`, file)
  }
  moveTo(virtualEpoch)
  try {
    const server = await startRedisServer({
      program: virtualProgram,
      ...options,
      // The lowest tick rate, because each tick of the server reads the file.
      args: ['--hz', '1', ...(options.args ?? [])],
      env: {
        ...options.env,
        TZ: 'UTC',
        LD_PRELOAD: existsSync(libc) ? `${faketime}:${libc}` : faketime,
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: '1',
      },
    })
    return {
      ...server,
      moveTo,
      async close() {
        await server.close()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** Uses a folder in memory if there is one, since a test sets the time before nearly every command. */
function makeFolder(): string {
  try {
    return mkdtempSync('/dev/shm/turnpike-time-')
  } catch {
    return mkdtempSync(join(tmpdir(), 'turnpike-time-'))
  }
}

/** Formats the time as `2026-01-01 00:00:00.4990001`. The digits 0001 keep the parsed float from being rounded down. */
function timeText(now: Millis): string {
  return `${new Date(now).toISOString().slice(0, -1).replace('T', ' ')}0001`
}
