/** A measured HTTP server: a fresh process per measurement. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** Time limit of a start. */
const startMs = 60_000

export interface Subject {
  readonly name: string
  readonly pid: number
  readonly url: string
  /** Milliseconds from process start to the first response, probed every few milliseconds. */
  readonly firstAnswerMs: number
  /** Requests a report from the module loaded with `--import`; needs a channel. */
  ask(): Promise<unknown>
  stop(): Promise<void>
}

export interface SubjectOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Opens an IPC channel, which `ask` needs; only for Node processes. */
  readonly channel?: boolean
  /** Current folder of the process. */
  readonly cwd?: string
  /** Headers of the requests that probe whether the server is ready. */
  readonly probeHeaders?: Readonly<Record<string, string>>
}

/** Starts a command and waits until GET `url + probe` succeeds. Rejects with the output of the command. */
export async function startSubject(
  name: string,
  command: readonly string[],
  url: string,
  probe: string,
  { env = {}, channel = false, cwd = process.cwd(), probeHeaders = {} }: SubjectOptions = {},
): Promise<Subject> {
  const startedAt = performance.now()
  const child = spawn(command[0] as string, command.slice(1), {
    stdio: ['ignore', 'pipe', 'pipe', ...(channel ? (['ipc'] as const) : [])],
    env: { ...process.env, ...env },
    cwd,
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (log = (log + text).slice(-4000)))
  child.on('error', (error) => (log += error.message))
  while (performance.now() - startedAt < startMs) {
    if (child.exitCode !== null || child.pid === undefined) break
    const answer = await fetch(url + probe, { headers: probeHeaders }).catch(() => undefined)
    await answer?.arrayBuffer()
    // A gateway may listen before it is ready.
    if (answer?.ok) {
      const firstAnswerMs = performance.now() - startedAt
      return { name, pid: child.pid, url, firstAnswerMs, ask: () => askChild(child), stop: () => stop(child) }
    }
    await sleep(5)
  }
  await stop(child)
  throw new Error(`${name} did not answer at ${url}${probe}:\n${log}`)
}

async function askChild(child: ChildProcess): Promise<unknown> {
  const message = once(child, 'message')
  child.send('report')
  return (await message)[0]
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 3000)
  await gone
  clearTimeout(timer)
}
