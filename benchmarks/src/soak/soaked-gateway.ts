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
import type { MemoryReport, ProcessSample } from './memory-probe.ts'

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
  /** Stalls and handles since the last call, without a garbage collection. */
  sample(): Promise<ProcessSample>
  /** Calls the management API. Rejects if the status is not 200. */
  manage(method: string, path: string, body?: unknown): Promise<void>
  /** Writes a definition that changes with `number`, and reloads. */
  reload(number: number): Promise<void>
  /** Throws with the last output if the process has exited. */
  check(): void
  /** Sends SIGTERM. Resolves with the milliseconds until exit, rejects if the process had to be killed. */
  stop(): Promise<number>
}

/** Seconds after which the gateway disconnects a client that stops sending its body. */
export const stallSeconds = 5
/** A shutdown takes longer than this only if the gateway counts finished requests as active. */
const stopMs = 10_000

export interface SoakedGatewayOptions {
  /** Default: one API, `/soak/`, that proxies everything to the upstream. */
  readonly definitions?: readonly object[]
  /** Keys of the configuration that replace those of this file. */
  readonly config?: object
}

const secret = 'soak-secret'

export async function startSoakedGateway(
  frontEnd: string,
  upstream: string,
  { definitions = [definition('soak', upstream)], config: more = {} }: SoakedGatewayOptions = {},
): Promise<SoakedGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-soak-'))
  const port = await freePort()
  mkdirSync(join(folder, 'apps'))
  for (const [i, one] of definitions.entries()) {
    writeFileSync(join(folder, 'apps', `api-${i}.json`), JSON.stringify(one))
  }
  const config = {
    listen_address: '127.0.0.1',
    listen_port: port,
    secret,
    app_path: 'apps',
    log_level: 'error',
    front_end: frontEnd,
    body_stall_timeout: stallSeconds,
    storage: { type: 'memory' },
    graceful_shutdown_timeout_duration: 30,
    ...more,
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
  let answers: Promise<unknown> = Promise.resolve()
  /** One question at a time, since replies have no names. */
  const ask = <T>(question: string): Promise<T> => {
    const answer = answers.then(async () => {
      const message = once(child, 'message')
      child.send(question)
      return (await Promise.race([message, ended.then(() => Promise.reject(new Error('the gateway ended')))]))[0] as T
    })
    answers = answer.catch(() => undefined)
    return answer
  }
  const manage = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'x-svc-authorization': secret },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  }
  return {
    port,
    frontEnd,
    residentBytes: () => residentBytes(pid),
    descriptors: () => readdirSync(`/proc/${pid}/fd`).length,
    probe: () => ask<MemoryReport>('report'),
    sample: () => ask<ProcessSample>('sample'),
    manage,
    async reload(number) {
      const changing = definition(`changing-${number % 3}`, upstream, { tags: [String(number)] })
      writeFileSync(join(folder, 'apps', 'changing.json'), JSON.stringify(changing))
      await manage('GET', '/svc/reload/?block=true')
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
