import type { ByteStream } from '../http/byte-stream.ts'
import type { HeaderPairs } from '../http/headers.ts'
import type { Tunnel } from '../http/messages.ts'
import type { Millis } from './clock.ts'

/** The client for upstream servers. */
export interface Upstream {
  /**
   * Leases the connection pool of one origin; called when an API is compiled, never per request. Calls with equal
   * arguments share one pool, across reloads too. `release` ends the lease.
   */
  connect(origin: string, options: UpstreamOptions): UpstreamLink
  /**
   * Closes the connections that use the certificate or key of this name, or of any name; connections in use close after
   * their call. Called when certificates change. Absent: the adapter does not support client certificates.
   */
  forgetCertificate?(name?: string): void
  close(): Promise<void>
}

export interface UpstreamOptions {
  /** Do not verify the upstream's certificate. */
  readonly insecure: boolean
  /** Absent: the platform's TLS defaults. */
  readonly tls?: UpstreamTls
  /** Offer HTTP/2 in the TLS handshake of `https:` origins. Default: false. */
  readonly http2?: boolean
  /** URL of an HTTP proxy in front of the upstream. */
  readonly proxyUrl?: string
  /** Connect to public addresses only, checked after the name was resolved. For URLs of definitions that are not targets. */
  readonly publicOnly?: boolean
}

/** TLS options of an upstream. Names of certificates and keys are resolved by the adapter. */
export interface UpstreamTls {
  /** TLS version number: 769 is TLS 1.0, 772 is TLS 1.3. */
  readonly minVersion?: number
  readonly maxVersion?: number
  /** IANA or OpenSSL names of cipher suites. */
  readonly ciphers?: readonly string[]
  /** Id or file of the client certificate with its private key. */
  readonly certificate?: string
  /** The upstream's public key must be one of these: ids, files or SHA-256 fingerprints. */
  readonly pinnedKeys?: readonly string[]
  /** The certificate's common name must equal the host, even if `insecure` is set. */
  readonly checksCommonName?: boolean
}

export interface UpstreamLink {
  /**
   * Sends a request and resolves when the response head has arrived. Never rejects: a failure before the head resolves
   * to an `UpstreamError`; a later failure fails the body.
   */
  send(request: UpstreamRequest): Promise<UpstreamResponse | UpstreamError>
  release(): void
}

export interface UpstreamRequest {
  readonly method: string
  /** Path and query, encoded for the wire. */
  readonly path: string
  /** End-to-end headers including `host`. The adapter adds the framing headers. */
  readonly headers: HeaderPairs
  readonly body: ByteStream | Uint8Array | undefined
  /** Length of a streaming body; `undefined`: the body is chunked. */
  readonly bodyLength: number | undefined
  /** Time limit for the complete response head in ms; 0: no limit. */
  readonly timeoutMs: Millis
  /** The gateway requested gzip: the adapter decompresses the response and removes `content-encoding`. */
  readonly unpack: boolean
  /** Requests an upgrade to this protocol; the adapter sets the headers. The upstream may decline the upgrade. */
  readonly upgrade?: string | undefined
  /** Receives a function that cancels the call, for a client disconnect. Called at most once, before `send` returns. */
  readonly onStart?: (cancel: () => void) => void
  /** Receives the interim responses 102 and 103, before `send` resolves. `undefined`: they are skipped. */
  readonly onInterim?: InterimListener | undefined
}

/** Receives an interim response (RFC 9110, 15.2); `headers` may include hop-by-hop headers. */
export type InterimListener = (status: number, headers: HeaderPairs) => void

export interface UpstreamResponse {
  readonly kind: 'response'
  readonly status: number
  /** Includes hop-by-hop headers; the engine removes them. */
  readonly headers: HeaderPairs
  /** Bytes if the whole body arrived with the head, which avoids the cost of streaming. */
  readonly body: ByteStream | Uint8Array | undefined
  /** Length of a streaming body, if the upstream sent it. */
  readonly bodyLength: number | undefined
  /** The upstream changed the protocol: status 101. */
  readonly tunnel?: Tunnel
}

export interface UpstreamError {
  readonly kind: 'error'
  readonly reason: 'refused' | 'unknown-host' | 'timeout' | 'broken' | 'cancelled'
  /** What failed in the connection, if the adapter knows it. */
  readonly detail?: ConnectionFailure
  /** With `tls-expired`, if the adapter knows it. */
  readonly certificate?: ExpiredCertificate
  readonly cause: unknown
}

/** A certificate of an upstream that was rejected because it has expired. */
export interface ExpiredCertificate {
  /** RFC 4514. */
  readonly subject: string
  readonly expiredAt: Millis
}

/** How a connection failed. `tls-…`: the upstream's certificate was rejected, or the TLS handshake failed. */
export type ConnectionFailure =
  | 'connect-timeout'
  | 'reset'
  | 'unreachable'
  | 'tls-expired'
  | 'tls-invalid'
  | 'tls-name'
  | 'tls-authority'
  | 'tls-handshake'
