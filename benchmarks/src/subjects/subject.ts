/** Something that answers HTTP and is measured: a fresh process for each measurement. */
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Subject {
  readonly name: string
  readonly pid: number
  readonly url: string
  stop(): Promise<void>
}

/** Starts a command and waits until a GET of `url + probe` is answered with success. Rejects with what it printed. */
export async function startSubject(
  name: string,
  command: readonly string[],
  url: string,
  probe: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Subject> {
  const child = spawn(command[0] as string, command.slice(1), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log = (log + text).slice(-4000)))
  child.on('error', (error) => (log += error.message))
  for (let tried = 0; tried < 400; tried++) {
    if (child.exitCode !== null || child.pid === undefined) break
    const answer = await fetch(url + probe).catch(() => undefined)
    await answer?.arrayBuffer()
    // A gateway may listen before it is ready.
    if (answer?.ok) {
      return { name, pid: child.pid, url, stop: () => stop(child) }
    }
    await sleep(25)
  }
  await stop(child)
  throw new Error(`${name} did not answer at ${url}${probe}:\n${log}`)
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 3000)
  await gone
  clearTimeout(timer)
}
