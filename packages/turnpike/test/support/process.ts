/**
 * The built command as a process. Needs `npm run build` before; what a child prints is kept, and a child that is
 * still there when its test ends is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { type Client, makeClient } from '../../src/client/index.ts'
import { type Folder, managementKey } from './folder.ts'

const bin = fileURLToPath(new URL('../../bin/turnpike.js', import.meta.url))
const built = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export interface Command {
  readonly child: ChildProcess
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
  out(): string
  err(): string
  /** Both, as a terminal would show them. */
  text(): string
}

export interface CommandOptions {
  readonly environment?: Record<string, string>
  /** Leave what it prints unread. */
  readonly unread?: boolean
  /** Words before the command, for example `ip netns exec NAME`. */
  readonly through?: readonly string[]
  /** Path of a program with the same arguments. Default: the built command. */
  readonly program?: string
}

/** Starts `turnpike ARGS` in a folder. */
export function runCommand(cwd: string, args: readonly string[], options: CommandOptions = {}): Command {
  if (!existsSync(built)) throw new Error('the package is not built: run npm run build first')
  const words = [...(options.through ?? []), process.execPath, options.program ?? bin, ...args]
  const child = spawn(words[0] as string, words.slice(1), {
    cwd,
    env: { PATH: process.env['PATH'], ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err, text] = ['', '', '']
  if (options.unread !== true) {
    child.stdout.on('data', (chunk) => {
      out += chunk
      text += chunk
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
      text += chunk
    })
  }
  const event = options.unread === true ? 'exit' : 'close'
  const ended = new Promise<number | string>((resolve) =>
    child.once(event, (code, signal) => resolve(code ?? signal ?? '')),
  )
  return { child, ended, out: () => out, err: () => err, text: () => text }
}

/** The same for commands that end by themselves. */
export async function finished(cwd: string, args: readonly string[], options: CommandOptions = {}) {
  const command = runCommand(cwd, args, options)
  const code = await command.ended
  return { code, out: command.out(), err: command.err(), text: command.text() }
}

export interface RunningGateway extends Command {
  readonly url: string
  readonly port: number
  /** The typed client of its management API, with its key. */
  readonly client: Client
  /** Any call of the management API, with its key; for what the client would not send. */
  manage(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>
  /** SIGTERM; resolves with how it ended. */
  stop(): Promise<number | string>
  isAlive(): boolean
}

/** `turnpike start` in a folder; resolves when it has said that it listens, rejects with what it said instead. */
export async function startGateway(
  folder: Folder,
  args: readonly string[] = [],
  options: CommandOptions = {},
): Promise<RunningGateway> {
  const command = runCommand(folder.path, ['start', '--conf', 'gateway.json', ...args], options)
  const url = await listening(command)
  return {
    ...command,
    url,
    port: Number(new URL(url).port),
    client: makeClient({ url, secret: managementKey }),
    async manage(method, path, body) {
      const response = await fetch(url + path, {
        method,
        headers: { 'X-Svc-Authorization': managementKey },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text }
    },
    stop() {
      command.child.kill('SIGTERM')
      return command.ended
    },
    isAlive: () => command.child.exitCode === null && command.child.signalCode === null,
  }
}

/** The same, ended with the test that started it. */
export async function startForTest(
  folder: Folder,
  args: readonly string[] = [],
  options: CommandOptions = {},
): Promise<RunningGateway> {
  const gateway = await startGateway(folder, args, options)
  onTestFinished(async () => {
    gateway.child.kill('SIGKILL')
    await gateway.ended
  })
  return gateway
}

async function listening(command: Command): Promise<string> {
  let over = false
  void command.ended.then(() => {
    over = true
  })
  for (let waited = 0; waited < 30_000; waited += 20) {
    const found = /listens on (http:\S+)|"event":"started","url":"([^"]+)"/.exec(command.out())
    if (found !== null) return (found[1] ?? found[2]) as string
    if (over) throw new Error(`the gateway ended:\n${command.text()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  command.child.kill('SIGKILL')
  throw new Error(`the gateway did not start within 30 s:\n${command.text()}`)
}

/** A TCP port that was free a moment ago, for processes whose output is not read. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/** Whether nobody listens there. */
export function refused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(false)
    })
    socket.on('error', () => resolve(true))
  })
}
