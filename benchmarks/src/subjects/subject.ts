/** A measured HTTP server: a fresh process per measurement. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { get } from '../measure/get.ts'

/** Time limit of a start. */
const startMs = 60_000

export interface Subject {
  readonly name: string
  readonly pid: number
  readonly url: string
  /** Milliseconds from process start to the first response, probed every few milliseconds. */
  readonly firstAnswerMs: number
  /** Sends a message to the module loaded with `--import` and returns its reply; needs a channel. */
  ask(message: string): Promise<unknown>
  /** Throws with the last output if the process has ended. */
  check(): void
  /** Ends the process with SIGTERM, and with SIGKILL if that takes longer. `maxMs`: default 3,000. */
  stop(maxMs?: number): Promise<void>
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
  const check = () => {
    if (hasEnded(child)) throw new Error(`${name} ended:\n${log}`)
  }
  while (performance.now() - startedAt < startMs) {
    if (child.exitCode !== null || child.pid === undefined) break
    const response = await get(url + probe, probeHeaders).catch(() => undefined)
    // A gateway may listen before it is ready.
    if (response?.status === 200) {
      const firstAnswerMs = performance.now() - startedAt
      return {
        name,
        pid: child.pid,
        url,
        firstAnswerMs,
        ask: makeAsk(child),
        check,
        stop: (maxMs) => stop(child, maxMs),
      }
    }
    await sleep(5)
  }
  await stop(child)
  throw new Error(`${name} did not answer at ${url}${probe}:\n${log}`)
}

/** One message at a time, since replies have no names. */
function makeAsk(child: ChildProcess): Subject['ask'] {
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the process ended')))
  ended.catch(() => undefined)
  let replies: Promise<unknown> = Promise.resolve()
  return (message) => {
    const reply = replies.then(async () => {
      const received = once(child, 'message')
      child.send(message)
      return (await Promise.race([received, ended]))[0]
    })
    replies = reply.catch(() => undefined)
    return reply
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

async function stop(child: ChildProcess, maxMs = 3000): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), maxMs)
  await gone
  clearTimeout(timer)
}
