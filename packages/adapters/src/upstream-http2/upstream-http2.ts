/**
 * The upstream adapter for HTTP/2: by prior knowledge for `h2c:` origins (RFC 9113 section 3.3), negotiated in the TLS
 * handshake for `https:` origins. All APIs with the same origin and options share sessions, also across reloads.
 */
import type { Clock, Upstream, UpstreamLink, UpstreamOptions } from '@turnpike/core'
import { Deadlines } from '@turnpike/upstream-http1/shared'
import { systemClock } from '../clock-system/clock-system.ts'
import { type FindPem, pemFromFile } from '../upstream-undici/certificate-source.ts'
import { Http2Call } from './http2-call.ts'
import { makeOpenSocket } from './open-socket.ts'
import { SessionPool } from './session-pool.ts'

export interface Http2UpstreamOptions {
  /** Clock of the timeouts. Default: the system clock. */
  readonly clock?: Clock
  /** Idle timeout of a session in milliseconds. Default: 60,000. */
  readonly keepAliveMs?: number
  /** Milliseconds in which a connection must open. Default: 30,000. The timeout of a call also applies. */
  readonly connectTimeoutMs?: number
  /** Maximum bytes of the header fields of a response. Default: 65,536. */
  readonly maxHeadBytes?: number
  /** Finds the certificates and keys that definitions name by id or file. Default: files only. */
  readonly findPem?: FindPem
  /**
   * Connects to `https:` origins by HTTP/1.1, for upgrades and upstreams that do not select HTTP/2. Default: these requests
   * fail.
   */
  readonly connectHttp1?: Upstream['connect']
}

interface Share {
  readonly pool: SessionPool
  readonly linkOptions: UpstreamOptions
  users: number
}

/** Makes an upstream for `h2c:` and `https:` origins. `close` aborts calls in flight. */
export function makeHttp2Upstream(options: Http2UpstreamOptions = {}): Upstream {
  const { keepAliveMs = 60_000, connectTimeoutMs = 30_000, maxHeadBytes = 65_536, findPem = pemFromFile } = options
  const deadlines = new Deadlines(options.clock ?? systemClock)
  const shares = new Map<string, Share>()

  function makePool(origin: string, linkOptions: UpstreamOptions): SessionPool {
    return new SessionPool({
      scheme: origin.startsWith('https:') ? 'https' : 'http',
      authority: origin.slice(origin.indexOf('://') + 3),
      openSocket: makeOpenSocket(origin, { linkOptions, connectTimeoutMs, findPem }),
      keepAliveMs,
      connectTimeoutMs,
      maxHeadBytes,
    })
  }

  return {
    connect(origin, linkOptions) {
      const name = `${origin} ${JSON.stringify(linkOptions)}`
      const share = shares.get(name) ?? { pool: makePool(origin, linkOptions), linkOptions, users: 0 }
      shares.set(name, share)
      share.users++
      const http1 = origin.startsWith('https:') ? options.connectHttp1?.(origin, linkOptions) : undefined
      return makeLink(share.pool, deadlines, http1, () => {
        if (--share.users > 0) return
        shares.delete(name)
        share.pool.retire()
      })
    },
    forgetCertificate(name) {
      for (const { pool, linkOptions } of shares.values()) if (usesKey(linkOptions, name)) pool.renew()
    },
    async close() {
      for (const { pool } of shares.values()) pool.destroy()
      shares.clear()
    },
  } satisfies Upstream
}

function makeLink(
  pool: SessionPool,
  deadlines: Deadlines,
  http1: UpstreamLink | undefined,
  onRelease: () => void,
): UpstreamLink {
  let released = false
  return {
    send(request) {
      if (http1 !== undefined && (pool.isHttp1 || request.upgrade !== undefined)) return http1.send(request)
      return new Promise((resolve) => new Http2Call(request, pool, deadlines, http1, resolve).run())
    },
    // A request from before a reload can still call `send` after `release`, so the pool only stops keeping sessions.
    release() {
      if (released) return
      released = true
      http1?.release()
      onRelease()
    },
  }
}

/** Whether connections use the certificate or key of this name, or any if no name is given. */
function usesKey({ tls }: UpstreamOptions, name: string | undefined): boolean {
  const { certificate, pinnedKeys = [] } = tls ?? {}
  if (name === undefined) return certificate !== undefined || pinnedKeys.length > 0
  return certificate === name || pinnedKeys.includes(name)
}
