import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { silentLog } from '@turnpike/core/ports'
import { expect, it, onTestFinished } from 'vitest'
import { openSubscription } from './subscription.ts'

/** A server that replies like Redis, and closes the connection in place of a reply to these SUBSCRIBE commands. */
async function startFakeRedis(closesAt: (subscribes: number) => boolean) {
  const sockets = new Set<Socket>()
  let subscribes = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      // Each command starts with the number of its words.
      for (const command of bytes.toString().split(/(?=\*\d+\r\n)/)) {
        if (/\bsubscribe\r\n/i.test(command)) {
          subscribes += 1
          if (closesAt(subscribes)) socket.destroy()
          else socket.write('*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n')
        } else if (/\binfo\r\n/i.test(command)) socket.write('$11\r\nloading:0\r\n\r\n')
        else socket.write('+OK\r\n')
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
  }
}

// Without a handler of the failure the process would end; the test run then reports an unhandled rejection.
it('subscribes again after the connection was lost twice, the second time while it subscribed', async () => {
  const redis = await startFakeRedis((subscribes) => subscribes === 2 || subscribes === 3)
  let gaps = 0
  const subscription = openSubscription({
    redis: { addresses: [{ host: '127.0.0.1', port: redis.port }] },
    channel: 'news',
    onMessage: () => undefined,
    onGap: () => {
      gaps += 1
    },
    log: silentLog,
  })
  onTestFinished(() => subscription.close())
  const soon = { timeout: 20_000 }
  await expect.poll(() => subscription.isListening(), soon).toBe(true)
  redis.cut()
  await expect.poll(() => subscription.isListening(), soon).toBe(false)
  await expect.poll(() => subscription.isListening(), soon).toBe(true)
  expect(gaps).toBe(1)
}, 60_000)
