/** An upstream on plain TCP that breaks its responses in every way, and ends and starts again on the same port. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

export interface HostileUpstream {
  readonly port: number
  /** Probability that a response is broken. */
  chance: number
  /** Closes the listener and all connections. */
  kill(): Promise<void>
  start(): Promise<void>
}

const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const breaks: readonly ((socket: Socket) => void)[] = [
  (socket) => socket.destroy(),
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.end(whole.slice(0, 20)),
  (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
  (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz'),
  (socket) => socket.end('\0\u0001 nonsense\r\n\r\n'),
  (socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(200_000)}\r\n\r\n`),
  (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(50)),
  (socket) => socket.write(`${whole}${whole}`),
  (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope'),
  (socket) => void setTimeout(() => socket.end(whole), 300),
]

export async function startHostileUpstream(random: () => number): Promise<HostileUpstream> {
  const sockets = new Set<Socket>()
  const respond = (socket: Socket) => {
    const broken = breaks[Math.floor(random() * breaks.length)]
    if (random() < upstream.chance) broken?.(socket)
    else socket.write(whole)
  }
  const makeListener = () =>
    createServer((socket) => {
      sockets.add(socket)
      let seen = ''
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
      socket.on('data', (chunk) => {
        seen += chunk.toString('latin1')
        if (!seen.includes('\r\n\r\n')) return
        seen = ''
        respond(socket)
      })
    })
  let server: Server = makeListener()
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const upstream: HostileUpstream = {
    port,
    chance: 0,
    kill() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
    start() {
      server = makeListener()
      return listen(port)
    },
  }
  return upstream
}
