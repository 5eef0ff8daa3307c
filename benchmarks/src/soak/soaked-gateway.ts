/** The built gateway as a process, observed from outside. Linux only, because it reads /proc. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../measure/free-port.ts'
import { residentBytes } from '../measure/process-cpu.ts'
import { definition } from '../subjects/definition.ts'
import type { MemoryReport } from './memory-probe.ts'

const command = fileURLToPath(new URL('../../../packages/turnpike/bin/turnpike.js', import.meta.url))
const probe = new URL('./memory-probe.js', import.meta.url).href

export interface SoakedGateway {
  readonly port: number
  readonly frontEnd: string
  residentBytes(): number
  /** Number of open files and sockets. */
  descriptors(): number
  /** Memory in use after a full garbage collection, and the longest stall of the event loop since the last call. */
  probe(): Promise<MemoryReport>
  /** Throws with the last output if the process has exited. */
  check(): void
  /** Sends SIGTERM. Resolves with the milliseconds until exit, rejects if the process had to be killed. */
  stop(): Promise<number>
}

/** Seconds after which the gateway disconnects a client that stops sending its body. */
export const stallSeconds = 5
/** A shutdown takes longer than this only if the gateway counts finished requests as active. */
const stopMs = 10_000

/** Starts the gateway with one API, `/soak/`, that proxies everything to the upstream. */
export async function startSoakedGateway(frontEnd: string, upstream: string): Promise<SoakedGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-soak-'))
  const port = await freePort()
  mkdirSync(join(folder, 'apps'))
  writeFileSync(join(folder, 'apps', 'soak.json'), JSON.stringify(definition('soak', upstream)))
  const config = {
    listen_address: '127.0.0.1',
    listen_port: port,
    secret: 'soak-secret',
    app_path: 'apps',
    log_level: 'error',
    front_end: frontEnd,
    body_stall_timeout: stallSeconds,
    storage: { type: 'memory' },
    graceful_shutdown_timeout_duration: 30,
  }
  writeFileSync(join(folder, 'gateway.json'), JSON.stringify(config))
  const words = ['--expose-gc', '--import', probe, command, 'start', '--conf', 'gateway.json', '--quiet', '--no-watch']
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said = (said + text).slice(-4000)))
  const ended = once(child, 'exit')
  const check = () => {
    if (!isAlive(child)) throw new Error(`the gateway ended:\n${said}`)
  }
  await ready(port, check).catch((cause) => {
    child.kill('SIGKILL')
    throw cause
  })
  const pid = child.pid as number
  return {
    port,
    frontEnd,
    residentBytes: () => residentBytes(pid),
    descriptors: () => readdirSync(`/proc/${pid}/fd`).length,
    async probe() {
      const message = once(child, 'message')
      child.send('report')
      return (await message)[0] as MemoryReport
    },
    check,
    async stop() {
      const before = performance.now()
      if (isAlive(child)) child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs)
      const [, signal] = (await ended) as [number | null, string | null]
      clearTimeout(timer)
      rmSync(folder, { recursive: true, force: true })
      if (signal === 'SIGKILL') throw new Error(`the gateway did not end within ${stopMs / 1000} s`)
      return performance.now() - before
    },
  }
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

async function ready(port: number, check: () => void): Promise<void> {
  for (let tried = 0; tried < 800; tried++) {
    check()
    const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.ok) return
    await sleep(25)
  }
  throw new Error('the gateway was not ready within 20 s')
}
