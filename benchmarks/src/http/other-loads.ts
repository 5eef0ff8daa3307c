/** Loads that wrk cannot send: HTTP/2 and WebSocket messages. Closed loops, from this process. */
import { connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantileOf } from '../measure/statistics.ts'
import type { LoadResult } from '../measure/wrk.ts'

const http2Sessions = 8
const streamsPerSession = 8

/** Requests of HTTP/2 sessions, each with several streams at once. */
export async function loadHttp2(url: string, seconds: number): Promise<LoadResult> {
  const { origin, pathname } = new URL(url)
  const sessions = Array.from({ length: http2Sessions }, () => connectHttp2(origin, { rejectUnauthorized: false }))
  const count = makeCounter(seconds)
  const request = (session: (typeof sessions)[number]) =>
    new Promise<boolean>((resolve) => {
      const stream = session.request({ ':path': pathname })
      let status = 0
      stream.on('response', (headers) => (status = headers[':status'] ?? 0))
      stream.on('error', () => resolve(false))
      stream.on('close', () => resolve(status === 200))
      stream.resume()
    })
  await Promise.all(
    sessions.flatMap((session) =>
      Array.from({ length: streamsPerSession }, async () => {
        while (count.goesOn()) await count.of(() => request(session))
      }),
    ),
  )
  for (const session of sessions) session.close()
  return count.result()
}

/** A masked text message of 100 bytes (RFC 6455, section 5.2) with the mask 0. */
const message = Buffer.concat([Buffer.from([0x81, 0x80 | 100, 0, 0, 0, 0]), Buffer.alloc(100, 'x')])
const tunnels = 32

/** Messages that go to the upstream and back, one at a time on each connection. */
export async function loadWebSocket(url: string, seconds: number): Promise<LoadResult> {
  const count = makeCounter(seconds)
  const sockets = await Promise.all(Array.from({ length: tunnels }, () => openTunnel(new URL(url))))
  await Promise.all(
    sockets.map(async (socket) => {
      const isHere = makeReceiver(socket)
      while (count.goesOn()) {
        await count.of(() => {
          socket.write(message)
          return isHere(message.length)
        })
      }
    }),
  )
  for (const socket of sockets) socket.destroy()
  return count.result()
}

function openTunnel({ hostname, port, pathname }: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.setNoDelay()
    socket.once('error', reject)
    const head = [`GET ${pathname} HTTP/1.1`, `Host: ${hostname}:${port}`, 'Connection: Upgrade', 'Upgrade: websocket']
    socket.write(
      [...head, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', '', ''].join('\r\n'),
    )
    let received = ''
    const read = (chunk: Buffer) => {
      received += chunk.toString('latin1')
      if (!received.includes('\r\n\r\n')) return
      socket.off('data', read)
      if (received.startsWith('HTTP/1.1 101')) resolve(socket)
      else reject(new Error(`${hostname}:${port} opened no WebSocket: ${received.slice(0, 200)}`))
    }
    socket.on('data', read)
  })
}

/** Resolves with true when so many bytes have arrived; false if the connection ends before. */
function makeReceiver(socket: Socket): (bytes: number) => Promise<boolean> {
  let missing = 0
  let settle: (isWhole: boolean) => void = () => {}
  socket.on('data', (chunk: Buffer) => {
    missing -= chunk.length
    if (missing <= 0) settle(missing === 0)
  })
  socket.on('error', () => settle(false))
  socket.on('close', () => settle(false))
  return (bytes) => {
    missing = bytes
    return new Promise((resolve) => (settle = resolve))
  }
}

function makeCounter(seconds: number) {
  const end = performance.now() + seconds * 1000
  const times: number[] = []
  let failed = 0
  return {
    goesOn: () => performance.now() < end,
    async of(one: () => Promise<boolean>): Promise<void> {
      const start = performance.now()
      if (!(await one())) {
        failed++
        // Otherwise a broken connection would make this a loop without a pause.
        await sleep(10)
      }
      times.push(performance.now() - start)
    },
    result(): LoadResult {
      const sorted = times.toSorted((a, b) => a - b)
      const latency = { p50: quantileOf(sorted, 0.5), p99: quantileOf(sorted, 0.99), max: sorted.at(-1) ?? 0 }
      return { requests: times.length, failed, latency }
    },
  }
}
