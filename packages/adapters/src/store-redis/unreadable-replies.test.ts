/** Replies that break the protocol are an outage of Redis, not an error of the call. */
import { type AddressInfo, createServer } from 'node:net'
import { StoreUnavailableError } from '@turnpike/core/ports'
import { makeMemoryLog } from '@turnpike/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { openRedisConnection } from './store-redis.ts'

/** Replies `OK` to each command except GET. */
async function startServer(replyToGet: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      for (const [, name = ''] of chunk.toString().matchAll(/\*\d+\r\n\$\d+\r\n([a-z]+)\r\n/gi)) {
        const isInfo = name.toLowerCase() === 'info'
        socket.write(name.toLowerCase() === 'get' ? replyToGet : isInfo ? '$9\r\nloading:0\r\n' : '+OK\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

it.each(['*99999999999\r\n', '?5\r\n'])('a call that gets %j is rejected as unavailable', async (reply) => {
  const port = await startServer(reply)
  const log = makeMemoryLog()
  const connection = openRedisConnection({ redis: { addresses: [{ host: '127.0.0.1', port }], connectMs: 1000 }, log })
  onTestFinished(() => connection.close())
  await connection.ready(15_000)
  await expect(connection.call((client) => client.get('a'))).rejects.toBeInstanceOf(StoreUnavailableError)
  const setAgain = () => connection.call((client) => client.set('a', 'b')).catch((cause: Error) => cause.message)
  await expect.poll(setAgain, { timeout: 15_000 }).toBe('OK')
})
