/**
 * A TCP server that responds with raw bytes, so that a test controls where a response breaks off, which bytes precede its
 * head, and when the connection closes.
 */
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

/** One request as it was received. */
export interface WireRequest {
  /** Request line and header lines, without the empty line. */
  readonly head: string
  /** Index of the connection, from 0. */
  readonly connection: number
  /** Index of the request on its connection, from 0. */
  readonly index: number
}

/** Handles a request by writing to the socket or by closing it. */
export type WireHandler = (request: WireRequest, socket: Socket) => void

export interface WireServer {
  readonly origin: string
  /** Heads of all requests, in the order of arrival. */
  readonly heads: readonly string[]
  readonly connections: number
  /** Currently open connections. */
  readonly open: ReadonlySet<Socket>
  close(): Promise<void>
}

/** Starts a server that calls `handler` for the head of every request. Request bodies are ignored. */
export async function startWireServer(handler: WireHandler): Promise<WireServer> {
  const heads: string[] = []
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    const connection = connections++
    let index = 0
    let text = ''
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end)
        text = text.slice(end + 4 + lengthOf(head))
        heads.push(head)
        handler({ head, connection, index: index++ }, socket)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heads,
    open,
    get connections() {
      return connections
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}

function lengthOf(head: string): number {
  return Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
}
