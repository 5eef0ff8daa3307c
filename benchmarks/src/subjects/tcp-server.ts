/** TCP servers on a free port of this machine that end all their connections when they stop. */
import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface TcpServer {
  readonly port: number
  stop(): Promise<void>
}

/** Errors of connections are ignored. */
export async function startTcpServer(onConnection: (socket: Socket) => void): Promise<TcpServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
