/**
 * An HTTP server that responds with the request it received, as JSON. It is the upstream of the sample gateways, the
 * recorded suites and the benchmarks.
 *
 * Query parameters control its responses: `status=418`, `delay=MS`, `type=text/plain`, `header=Name:value`
 * (repeatable), `body=TEXT`, `bytes=N`, `break=N` (the connection is cut after N bytes of the body).
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { echoOf } from './echo-of.ts'
import { writeResponse } from './write-response.ts'

export interface EchoUpstreamOptions {
  /** 0, the default, lets the system choose. */
  readonly port?: number
  /** `127.0.0.1` by default. */
  readonly host?: string
}

export interface EchoUpstream {
  readonly port: number
  /** `http://host:port`, without a slash at the end. */
  readonly url: string
  /** How many requests this path has had, query left out. */
  hits(path: string): number
  close(): Promise<void>
}

/** Starts the echo upstream; rejects when the address is taken. */
export async function startEchoUpstream(options: EchoUpstreamOptions = {}): Promise<EchoUpstream> {
  const { port = 0, host = '127.0.0.1' } = options
  const hits = new Map<string, number>()
  // Keep-alive for as long as a benchmark or a developer's break lasts: connections that close while idle would
  // appear as noise in the measured gateway.
  const server = createServer({ keepAliveTimeout: 120_000, requestTimeout: 0 }, (request, response) => {
    echo(request, response, hits)
  })
  server.listen(port, host)
  await once(server, 'listening')
  const bound = (server.address() as AddressInfo).port
  return {
    port: bound,
    url: `http://${host}:${bound}`,
    hits: (path) => hits.get(path) ?? 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function echo(request: IncomingMessage, response: ServerResponse, hits: Map<string, number>): void {
  const url = request.url ?? '/'
  const path = url.split('?', 1)[0] as string
  const hit = (hits.get(path) ?? 0) + 1
  hits.set(path, hit)
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('error', () => response.destroy())
  request.on('end', () => writeResponse(response, queryOf(url), () => echoOf(request, Buffer.concat(chunks), hit)))
}

function queryOf(url: string): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
}
