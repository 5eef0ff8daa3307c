/** Starts a gateway as a process in the folder of a suite. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './http-call.ts'
import type { Suite } from './recorded-suite.ts'
import type { PlayedGateway } from './run-suite.ts'
import { writeSuiteFolder } from './suite-folder.ts'

export interface StartOptions {
  /** The command and its arguments; `{conf}` is replaced by the path of the configuration file. */
  readonly command: readonly string[]
  readonly upstream: string
  /** Keys that override those of the suite's configuration. */
  readonly config?: Record<string, unknown>
  readonly env?: Record<string, string>
}

/**
 * Writes the suite's files, starts the command and waits until the gateway is ready. Rejects with the end of its log.
 * `stop` sends SIGTERM, and SIGKILL after 3 s.
 */
export async function startGatewayProcess(suite: Suite, options: StartOptions): Promise<PlayedGateway> {
  const files = await writeSuiteFolder(suite, options.upstream, options.config)
  const { folder, port, values } = files
  const words = options.command.map((word) => word.replaceAll('{conf}', files.conf))
  const env = { ...process.env, ...options.env }
  const child = spawn(words[0] as string, words.slice(1), { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log = (log + text).slice(-20_000)))
  const stop = async () => {
    await endProcess(child)
    await files.remove()
  }
  try {
    await untilReady(port, child)
  } catch (cause) {
    await stop()
    throw new Error(`the gateway did not become ready (${String(cause)}):\n${log.slice(-2000)}`)
  }
  return { port, folder, values, sleep, send: (call, vendor) => send(port, call, vendor), stop }
}

async function untilReady(port: number, child: ChildProcess): Promise<void> {
  for (let tried = 0; tried < 600; tried++) {
    if (child.exitCode !== null) throw new Error(`exited with ${child.exitCode}`)
    const hello = await send(port, { path: '/hello' }, 'svc')
    if (hello.status === 200 && (await send(port, { path: '/ready' }, 'svc')).status !== 503) return
    await sleep(50)
  }
  throw new Error('no response to GET /hello in 30 s')
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const killTimer = setTimeout(() => child.kill('SIGKILL'), 3000)
  await exited
  clearTimeout(killTimer)
}
