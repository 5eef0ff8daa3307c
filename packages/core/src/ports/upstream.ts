import type { ByteStream } from '../http/byte-stream.ts'
import type { HeaderPairs } from '../http/headers.ts'
import type { Tunnel } from '../http/messages.ts'
import type { Millis } from './clock.ts'

/** Calls to the servers behind the gateway. */
export interface Upstream {
  /**
   * Opens the way to one origin; called when an API is compiled, never per request. Calls with equal arguments
   * share one pool of connections, across reloads too; `release` gives the share back.
   */
  connect(origin: string, options: UpstreamOptions): UpstreamLink
  /**
   * The certificate or key of this name changed or is gone; without a name: any of them may be. Connections that were
   * opened with it close, those in use with the end of their call. Absent: it opens none with a certificate.
   */
  forgetCertificate?(name?: string): void
  close(): Promise<void>
}

export interface UpstreamOptions {
  /** Do not check the upstream's certificate. */
  readonly insecure: boolean
  /** Absent: the platform's own way of TLS. */
  readonly tls?: UpstreamTls
  /** URL of an HTTP proxy on the way to the upstream. */
  readonly proxyUrl?: string
}

/** TLS towards an upstream. Names of certificates and keys are resolved by the adapter. */
export interface UpstreamTls {
  /** As TLS numbers versions: 769 is 1.0, 772 is 1.3. */
  readonly minVersion?: number
  readonly maxVersion?: number
  /** Names of cipher suites, as IANA or OpenSSL have them. */
  readonly ciphers?: readonly string[]
  /** Id or file of the certificate, with its private key, that is shown to the upstream. */
  readonly certificate?: string
  /** The upstream's public key must be one of these: ids, files or SHA-256 fingerprints. */
  readonly pinnedKeys?: readonly string[]
  /** The certificate's common name must be the host, also where nothing else is checked. */
  readonly checksCommonName?: boolean
}

export interface UpstreamLink {
  /**
   * Sends a request and resolves when the head of the answer is there.
   * Never rejects: what goes wrong before the head is an `UpstreamError`; what goes wrong after it fails the body.
   */
  send(request: UpstreamRequest): Promise<UpstreamResponse | UpstreamError>
  release(): void
}

export interface UpstreamRequest {
  readonly method: string
  /** Path and query as they go on the wire. */
  readonly path: string
  /** Complete, hop-by-hop headers already taken off, `host` included; framing headers are the adapter's. */
  readonly headers: HeaderPairs
  readonly body: ByteStream | Uint8Array | undefined
  /** Length of a streaming body when known; without it the body goes chunked. */
  readonly bodyLength: number | undefined
  /** Time for the whole answer's head to arrive; 0: no limit. */
  readonly timeoutMs: Millis
  /** The gateway itself asked for gzip: the adapter unpacks the answer and takes the coding header off. */
  readonly unpack: boolean
  /** Asks to change the protocol to this one; the adapter sets the headers of it. An upstream may answer as usual. */
  readonly upgrade?: string | undefined
  /** Hands out the way to give the call up (the client went away). Called at most once, before `send` returns. */
  readonly onStart?: (cancel: () => void) => void
}

export interface UpstreamResponse {
  readonly kind: 'answer'
  readonly status: number
  /** Hop-by-hop headers included; taking them off is the engine's matter. */
  readonly headers: HeaderPairs
  /** Whole when it was short and came at once, which saves the streaming machinery. */
  readonly body: ByteStream | Uint8Array | undefined
  /** Length of a streaming body when the upstream told it. */
  readonly bodyLength: number | undefined
  /** The upstream changed the protocol: status 101. */
  readonly tunnel?: Tunnel
}

export interface UpstreamError {
  readonly kind: 'fault'
  readonly reason: 'refused' | 'unknown-host' | 'timeout' | 'broken' | 'cancelled'
  readonly cause: unknown
}
