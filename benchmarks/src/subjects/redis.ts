/** A Redis server for one measurement, on a free port and without persistence. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../measure/free-port.ts'

export interface RedisSubject {
  readonly port: number
  readonly pid: number
  stop(): Promise<void>
}

/** Starts the server and waits until it accepts connections. Rejects if redis-server is missing or does not start. */
export async function startRedis(): Promise<RedisSubject> {
  const port = await freePort()
  const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()]
  const child = spawn('redis-server', words, { stdio: 'ignore' })
  const ended = once(child, 'exit').catch(() => undefined)
  const stop = async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await ended
  }
  for (let tried = 0; tried < 400 && child.exitCode === null; tried++) {
    if (child.pid !== undefined && (await takesConnections(port))) return { port, pid: child.pid, stop }
    await sleep(25)
  }
  await stop()
  throw new Error('redis-server did not come up')
}

function takesConnections(port: number): Promise<boolean> {
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
