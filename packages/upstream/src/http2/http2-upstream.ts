/**
 * The upstream adapter for HTTP/2: by prior knowledge for `h2c:` origins (RFC 9113 section 3.3), negotiated in the TLS
 * handshake for `https:` origins. All APIs with the same origin and options share sessions, also across reloads.
 */
import type {
  Clock,
  Upstream,
  UpstreamError,
  UpstreamLink,
  UpstreamOptions,
  UpstreamRequest,
  UpstreamResponse,
} from '@turnpike/core/ports'
import { Deadlines } from '../shared/deadlines.ts'
import { SharedPools } from '../shared/shared-pools.ts'
import { type FindPem, pemFromFile, usesKey } from '../undici/certificate-source.ts'
import { Http2Call } from './http2-call.ts'
import { makeOpenSocket } from './open-socket.ts'
import { SessionPool, type SessionPoolOptions } from './session-pool.ts'

export interface Http2UpstreamOptions {
  /** Clock of the timeouts. */
  readonly clock: Clock
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

/** Makes an upstream for `h2c:` and `https:` origins. `close` aborts calls in flight. */
export function makeHttp2Upstream(options: Http2UpstreamOptions): Upstream {
  const { clock, findPem = pemFromFile } = options
  const { keepAliveMs = 60_000, connectTimeoutMs = 30_000, maxHeadBytes = 65_536 } = options
  const deadlines = new Deadlines(clock)
  const pools = new SharedPools<Http2Pool>()

  function makePool(origin: string, linkOptions: UpstreamOptions): Http2Pool {
    const isSecure = origin.startsWith('https:')
    const sessions: SessionPoolOptions = {
      scheme: isSecure ? 'https' : 'http',
      authority: origin.slice(origin.indexOf('://') + 3),
      openSocket: makeOpenSocket(origin, { linkOptions, connectTimeoutMs, findPem }),
      keepAliveMs,
      connectTimeoutMs,
      maxHeadBytes,
    }
    const http1 = isSecure ? options.connectHttp1?.(origin, linkOptions) : undefined
    return new Http2Pool(sessions, linkOptions, deadlines, http1)
  }

  return {
    connect: (origin, linkOptions) =>
      pools.connect(`${origin} ${JSON.stringify(linkOptions)}`, () => makePool(origin, linkOptions)),
    forgetCertificate(name) {
      for (const pool of pools.list()) if (usesKey(pool.linkOptions, name)) pool.renew()
    },
    close: () => pools.close(),
  } satisfies Upstream
}

/** The sessions with one origin, and the link for requests that they cannot carry. */
class Http2Pool extends SessionPool {
  readonly linkOptions: UpstreamOptions
  private readonly deadlines: Deadlines
  private readonly http1: UpstreamLink | undefined

  constructor(
    sessions: SessionPoolOptions,
    linkOptions: UpstreamOptions,
    deadlines: Deadlines,
    http1: UpstreamLink | undefined,
  ) {
    super(sessions)
    this.linkOptions = linkOptions
    this.deadlines = deadlines
    this.http1 = http1
  }

  send(request: UpstreamRequest): Promise<UpstreamResponse | UpstreamError> {
    const { http1, deadlines } = this
    if (http1 !== undefined && (this.isHttp1 || request.upgrade !== undefined)) return http1.send(request)
    return new Promise((resolve) => new Http2Call(request, this, deadlines, http1, resolve).run())
  }

  override retire(): void {
    this.http1?.release()
    super.retire()
  }
}
