/**
 * An upstream that misbehaves according to the path of the request. It keeps no body.
 *
 * - `/give?bytes=N`: a response of N bytes.
 * - `/take`, `/take-slowly`: reads the body and responds with its length; slowly: pauses after each MiB.
 * - `/cut?by=reset|end`: sends headers and part of a long body, then closes the connection.
 * - `/cut-chunked`: the same, chunked. `/cut-head`: closes within the headers.
 * - `/slow`: a response after 300 ms. `/never`: sends no response.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SoakUpstream {
  readonly url: string
  /** Number of open connections. */
  connections(): number
  close(): Promise<void>
}

const block = Buffer.alloc(65_536, 'soak')
const slowEvery = 2 ** 20
export const slowPauseMs = 10
const slowResponseMs = 300

/** `port`: default a free one. `keepAliveMs`: idle connections are closed after this time. */
export async function startSoakUpstream({ port = 0, keepAliveMs = 5_000 } = {}): Promise<SoakUpstream> {
  const open = new Set<Socket>()
  const server = createServer((request, response) => {
    request.on('error', () => {})
    response.on('error', () => {})
    void answer(request, response).catch(() => request.socket.destroy())
  })
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  server.requestTimeout = 0
  server.keepAliveTimeout = keepAliveMs
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port, backlog: 4096 }, resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    connections: () => open.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url as string, 'http://upstream')
  switch (pathname) {
    case '/give':
      return give(response, Number(searchParams.get('bytes')))
    case '/take':
      return take(request, response, 0)
    case '/take-slowly':
      return take(request, response, slowPauseMs)
    case '/cut':
      request.resume()
      response.writeHead(200, { 'content-length': 10 * block.length })
      response.write(block, () => cut(request.socket, searchParams.get('by')))
      return
    case '/cut-chunked':
      request.resume()
      response.write(block, () => cut(request.socket, searchParams.get('by')))
      return
    case '/cut-head':
      request.resume()
      request.socket.write('HTTP/1.1 200 OK\r\nContent-Ty', () => cut(request.socket, searchParams.get('by')))
      return
    case '/slow':
      request.resume()
      await sleep(slowResponseMs)
      response.end('slow')
      return
    case '/never':
      request.resume()
      return
    default:
      request.resume()
      response.end('ok')
  }
}

function cut(socket: Socket, by: string | null): void {
  if (by === 'reset') socket.resetAndDestroy()
  else socket.end(() => socket.destroy())
}

async function give(response: ServerResponse, bytes: number): Promise<void> {
  response.writeHead(200, { 'content-length': bytes })
  for (let left = bytes; left > 0 && !response.destroyed; ) {
    const part = left < block.length ? block.subarray(0, left) : block
    left -= part.length
    if (!response.write(part)) await takenOrGone(response)
  }
  response.end()
}

async function take(request: IncomingMessage, response: ServerResponse, pauseMs: number): Promise<void> {
  let taken = 0
  let sincePause = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    taken += chunk.length
    sincePause += chunk.length
    if (pauseMs === 0 || sincePause < slowEvery) continue
    sincePause = 0
    await sleep(pauseMs)
  }
  response.end(String(taken))
}

function takenOrGone(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go)
      response.off('close', go)
      resolve()
    }
    response.on('drain', go)
    response.on('close', go)
  })
}
