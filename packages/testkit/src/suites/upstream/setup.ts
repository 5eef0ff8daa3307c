/** The fixtures of the upstream suite: a new adapter and new servers for each case, all closed afterwards. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Upstream, UpstreamLink } from '@turnpike/core/ports'
import { afterEach, beforeEach } from 'vitest'
import { startWireServer, type WireHandler, type WireServer } from './wire-server.ts'

/** A running server that responds with the request it received. */
export interface EchoServer {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string
  close(): Promise<void>
}

/** Limits of an adapter's HTTP library. */
export interface UpstreamTraits {
  /** Sends trailers of requests; otherwise they are dropped. Default: true. */
  readonly sendsTrailers?: boolean
}

export interface UpstreamUnderTest extends UpstreamTraits {
  /** Returns a new adapter for every case. The suite closes it. */
  readonly make: () => Upstream
  /** Starts an echo upstream on a free TCP port: `startEchoUpstream` of `turnpike/echo-upstream`. The suite closes it. */
  readonly startEcho: () => Promise<EchoServer>
}

export interface UpstreamSetup {
  link(origin: string): UpstreamLink
  /** Opens a link to the echo upstream. */
  toEcho(): UpstreamLink
  /** Starts a server that responds with raw bytes, and opens a link to it. */
  wire(handler: WireHandler): Promise<{ server: WireServer; to: UpstreamLink }>
  /** Starts a `node:http` server and opens a link to it. */
  served(handler: RequestListener): Promise<UpstreamLink>
}

/** The response of most wire servers. */
export const hello = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'

/** Registers the hooks. The returned functions can be called inside cases only. */
export function useUpstream({ make, startEcho }: UpstreamUnderTest): UpstreamSetup {
  let upstream: Upstream
  let echo: EchoServer
  const closing: (() => Promise<void>)[] = []
  beforeEach(async () => {
    upstream = make()
    echo = await startEcho()
  })
  afterEach(async () => {
    await upstream.close()
    await echo.close()
    for (const close of closing.splice(0)) await close()
  })

  const link = (origin: string) => upstream.connect(origin, { insecure: false })
  return {
    link,
    toEcho: () => link(echo.url),
    async wire(handler) {
      const server = await startWireServer(handler)
      closing.push(server.close)
      return { server, to: link(server.origin) }
    },
    async served(handler) {
      const server = createServer(handler)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      closing.push(async () => {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      })
      return link(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    },
  }
}
