/** What the cases of the upstream suite stand on: a fresh adapter and servers for each, all closed afterwards. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Upstream, UpstreamLink } from '@turnpike/core'
import { type EchoUpstream, startEchoUpstream } from '@turnpike/echo-upstream'
import { afterEach, beforeEach } from 'vitest'
import { startWireServer, type WireAnswer, type WireServer } from './wire-server.ts'

export interface UpstreamSetup {
  link(origin: string): UpstreamLink
  /** A link to the echo upstream. */
  toEcho(): UpstreamLink
  /** A server that answers raw bytes, and a link to it. */
  wire(answer: WireAnswer): Promise<{ server: WireServer; to: UpstreamLink }>
  /** A link to a `node:http` server. */
  served(handler: RequestListener): Promise<UpstreamLink>
}

/** The answer of most wire servers. */
export const hello = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'

/** Registers the hooks; what is returned works inside of cases. */
export function useUpstream(make: () => Upstream): UpstreamSetup {
  let upstream: Upstream
  let echo: EchoUpstream
  const closing: (() => Promise<void>)[] = []
  beforeEach(async () => {
    upstream = make()
    echo = await startEchoUpstream()
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
    async wire(answer) {
      const server = await startWireServer(answer)
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
