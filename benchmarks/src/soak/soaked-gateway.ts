/** The built gateway as a process, observed from outside. Linux only, because it reads /proc. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { residentBytes } from '../measure/process-cpu.ts'
import type { MemoryReport, Stall } from '../measure/process-probe.ts'
import { definition } from '../subjects/definition.ts'
import { startTurnpike, type TurnpikeSubject } from '../subjects/turnpike.ts'

export interface SoakedGateway extends Pick<TurnpikeSubject, 'manage' | 'check'> {
  readonly port: number
  readonly frontEnd: string
  residentBytes(): number
  /** Number of open files and sockets. */
  descriptors(): number
  /** Memory in use after a full garbage collection, and the longest stall of the event loop since the last call. */
  probe(): Promise<MemoryReport>
  /** Stalls and handles since the last call, without a garbage collection. */
  sample(): Promise<Stall>
  /** Writes a definition that changes with `number`, and reloads. */
  reload(number: number): Promise<void>
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

export async function startSoakedGateway(
  frontEnd: string,
  upstream: string,
  { definitions = [definition('soak', upstream)], config = {} }: SoakedGatewayOptions = {},
): Promise<SoakedGateway> {
  const usual = {
    front_end: frontEnd,
    body_stall_timeout: stallSeconds,
    storage: { type: 'memory' },
    graceful_shutdown_timeout_duration: 30,
  }
  const { pid, url, folder, manage, check, ask, stop } = await startTurnpike({
    apis: definitions,
    config: { ...usual, ...config },
    nodeFlags: ['--expose-gc'],
    hasProbe: true,
  })
  return {
    port: Number(new URL(url).port),
    frontEnd,
    residentBytes: () => residentBytes(pid),
    descriptors: () => readdirSync(`/proc/${pid}/fd`).length,
    probe: () => ask('report') as Promise<MemoryReport>,
    sample: () => ask('sample') as Promise<Stall>,
    manage,
    async reload(number) {
      const changing = definition(`changing-${number % 3}`, upstream, { tags: [String(number)] })
      writeFileSync(join(folder, 'apps', 'changing.json'), JSON.stringify(changing))
      await manage('GET', '/svc/reload/?block=true')
    },
    check,
    async stop() {
      const startedAt = performance.now()
      await stop(stopMs)
      const ms = performance.now() - startedAt
      if (ms >= stopMs) throw new Error(`the gateway did not end within ${stopMs / 1000} s`)
      return ms
    },
  }
}
