/** A TCP proxy in front of Redis that counts what a gateway sends and receives. It changes nothing. */
import net from 'node:net'
import { startTcpServer, type TcpServer } from '../subjects/tcp-server.ts'

export interface RedisTraffic {
  /** Commands of the client; those that a script calls are not among them. */
  readonly commands: number
  /** Times that the client sent something after a reply: round trips, if requests come one after the other. */
  readonly roundTrips: number
  readonly bytesToRedis: number
  readonly bytesFromRedis: number
}

export interface CountingProxy extends TcpServer {
  take(): RedisTraffic
}

export async function startCountingProxy(target: number): Promise<CountingProxy> {
  const zero = { commands: 0, roundTrips: 0, bytesToRedis: 0, bytesFromRedis: 0 }
  let counts = { ...zero }
  const { port, stop } = await startTcpServer((client) => {
    const redis = net.connect(target, '127.0.0.1')
    let isWaiting = false
    for (const socket of [client, redis]) {
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        redis.destroy()
      })
    }
    client.on('data', (chunk) => {
      counts.bytesToRedis += chunk.length
      counts.commands += commandsIn(chunk)
      if (!isWaiting) counts.roundTrips += 1
      isWaiting = true
      redis.write(chunk)
    })
    redis.on('data', (chunk) => {
      counts.bytesFromRedis += chunk.length
      isWaiting = false
      client.write(chunk)
    })
  })
  return {
    port,
    take() {
      const taken = counts
      counts = { ...zero }
      return taken
    },
    stop,
  }
}

/** Arrays of the Redis protocol begin with `*` at the start of a line; arguments begin with `$`. */
function commandsIn(chunk: Buffer): number {
  return chunk.toString('latin1').match(/(?:^|\r\n)\*\d+\r\n\$/g)?.length ?? 0
}
