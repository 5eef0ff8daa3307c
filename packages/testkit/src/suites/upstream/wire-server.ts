/**
 * A server for what no polite server does: it takes raw bytes and answers raw bytes, so that a suite can say where
 * an answer breaks off, what comes before a head, and when a connection closes.
 */

import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

/** One request as it came over the wire. */
export interface WireRequest {
  /** Request line and header lines, without the empty line. */
  readonly head: string
  /** Which connection, counted from 0. */
  readonly connection: number
  /** Which request on this connection, counted from 0. */
  readonly index: number
}

/** Answers a request by writing to the socket, or by ending it. */
export type WireAnswer = (request: WireRequest, socket: Socket) => void

export interface WireServer {
  readonly origin: string
  /** Heads of all requests, in the order in which they came. */
  readonly heads: readonly string[]
  readonly connections: number
  /** Connections that are open now. */
  readonly open: ReadonlySet<Socket>
  close(): Promise<void>
}

/** Starts a server that hands every head to `answer`; bodies of requests are passed over. */
export async function startWireServer(answer: WireAnswer): Promise<WireServer> {
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
        answer({ head, connection, index: index++ }, socket)
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
