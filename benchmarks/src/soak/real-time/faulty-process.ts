/** A process that a soak kills and starts again on the same TCP port: the upstream, or Redis. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../measure/free-port.ts'

export interface FaultyProcess {
  readonly port: number
  /** Kills it without a chance to close its connections in order. */
  kill(): Promise<void>
  /** Resolves when it accepts connections. */
  start(): Promise<void>
}

const upstreamFile = fileURLToPath(new URL('./upstream-process.js', import.meta.url))

export function startFaultyUpstream(): Promise<FaultyProcess> {
  return makeFaultyProcess((port) =>
    spawn(process.execPath, [upstreamFile, String(port)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
  )
}

/** Without persistence, so that a restart loses all keys and counters. */
export function startFaultyRedis(): Promise<FaultyProcess> {
  return makeFaultyProcess((port) => {
    const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()]
    return spawn('redis-server', words, { stdio: 'ignore' })
  })
}

async function makeFaultyProcess(open: (port: number) => ChildProcess): Promise<FaultyProcess> {
  const port = await freePort()
  let child: ChildProcess | undefined
  const running: FaultyProcess = {
    port,
    async kill() {
      if (child === undefined) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      child = undefined
      await ended
    },
    async start() {
      child = open(port)
      for (let tried = 0; tried < 400; tried += 1) {
        if (await accepts(port)) return
        await sleep(25)
      }
      throw new Error(`the process on port ${port} did not come up`)
    },
  }
  await running.start()
  return running
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    const settle = (value: boolean) => {
      socket.destroy()
      resolve(value)
    }
    socket.on('connect', () => settle(true))
    socket.on('error', () => settle(false))
  })
}
