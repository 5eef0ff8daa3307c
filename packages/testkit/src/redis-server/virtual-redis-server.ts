/**
 * A real Redis whose time a test sets: TIME, lifetimes, expiry and the time within scripts all follow it, so that
 * months of quota pass as fast as commands do. Debian's libfaketime gives the server its time, out of a file.
 *
 * libc is named before it, or the allocator of Redis and libfaketime wait for each other at the start. The monotonic
 * clock stays real: the server's own timers go by it.
 */
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Millis } from '@turnpike/core'
import { virtualEpoch } from '../virtual-clock.ts'
import { type RedisServer, type RedisServerOptions, startRedisServer, withoutRedis } from './redis-server.ts'

export interface VirtualRedisServer extends RedisServer {
  /** Sets its time, forward or back; whole milliseconds. What is asked afterwards meets it. Time stands in between. */
  moveTo(now: Millis): void
}

/** The library, wherever the machine's architecture has it; `undefined`: not installed. */
function findFaketime(): string | undefined {
  const library = 'faketime/libfaketimeMT.so.1'
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib').map((name) => join('/usr/lib', name)) : []
  return ['/usr/lib', ...folders].map((folder) => join(folder, library)).find((path) => existsSync(path))
}

const faketime = findFaketime()

/** Why tests that need one cannot run here; `undefined`: they can. In CI they run, and fail, all the same. */
export const withoutVirtualRedis: string | undefined =
  withoutRedis ??
  (faketime !== undefined || process.env['CI']
    ? undefined
    : 'libfaketime is not installed (apt-get install libfaketime)')

/** A title of tests that need one, with the reason where they are not run. */
export function titleWithVirtualRedis(title: string): string {
  return withoutVirtualRedis === undefined ? title : `${title}, not run: ${withoutVirtualRedis}`
}

/** Starts one, at `virtualEpoch`. Rejects when it does not answer in 15 s, or libfaketime is not installed. */
export async function startVirtualRedisServer(options: RedisServerOptions = {}): Promise<VirtualRedisServer> {
  if (faketime === undefined) throw new Error('libfaketime is not installed (apt-get install libfaketime)')
  const libc = join(dirname(dirname(faketime)), 'libc.so.6')
  const folder = makeFolder()
  const file = join(folder, 'now')
  let told: Millis | undefined
  const moveTo = (now: Millis) => {
    if (now === told) return
    told = now
    // Renamed, so that it is never read half.
    writeFileSync(`${file}~`, timeText(now))
    renameSync(`${file}~`, file)
  }
  moveTo(virtualEpoch)
  try {
    const server = await startRedisServer({
      ...options,
      // Seldom more than asked: each tick of its own reads the file.
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

/** In memory where that can be had: a test moves the time before nearly every command. */
function makeFolder(): string {
  try {
    return mkdtempSync('/dev/shm/turnpike-time-')
  } catch {
    return mkdtempSync(join(tmpdir(), 'turnpike-time-'))
  }
}

/** `2026-01-01 00:00:00.4990001`: the last digits keep a fraction that is read as a float from falling short of it. */
function timeText(now: Millis): string {
  return `${new Date(now).toISOString().slice(0, -1).replace('T', ' ')}0001`
}
