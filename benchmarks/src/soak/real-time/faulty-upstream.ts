/** The upstream of the soak in real time, as a process that the soak kills and starts again on the same TCP port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../measure/free-port.ts'

/** The upstream, or Redis. */
export interface FaultyProcess {
  readonly port: number
  /** Kills it without a chance to close its connections in order. */
  kill(): Promise<void>
  /** Resolves when it accepts connections. */
  start(): Promise<void>
}

const program = fileURLToPath(new URL('./upstream-process.js', import.meta.url))
const startMs = 10_000

export async function startFaultyUpstream(): Promise<FaultyProcess> {
  const port = await freePort()
  let child: ChildProcess | undefined
  const upstream: FaultyProcess = {
    port,
    async kill() {
      if (child === undefined) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      child = undefined
      await ended
    },
    async start() {
      child = spawn(process.execPath, [program, String(port)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
      // It sends a message when it listens.
      await once(child, 'message', { signal: AbortSignal.timeout(startMs) })
    },
  }
  await upstream.start()
  return upstream
}
