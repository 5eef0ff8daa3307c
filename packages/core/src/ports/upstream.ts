import type { ByteStream } from '../byte-stream.ts'
import type { HeaderPairs } from '../http.ts'
import type { Millis } from './clock.ts'

/** Calls to the servers behind the gateway. */
export interface Upstream {
  /**
   * Opens the way to one origin; called when an API is compiled, never per request. Calls with equal arguments
   * share one pool of connections, across reloads too; `release` gives the share back.
   */
  connect(origin: string, options: UpstreamOptions): UpstreamLink
  close(): Promise<void>
}

export interface UpstreamOptions {
  /** Do not check the upstream's certificate. */
  readonly insecure: boolean
}

export interface UpstreamLink {
  /**
   * Sends a request and resolves when the head of the answer is there.
   * Never rejects: what goes wrong before the head is an `UpstreamFault`; what goes wrong after it fails the body.
   */
  send(request: UpstreamRequest): Promise<UpstreamAnswer | UpstreamFault>
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
  /** Hands out the way to give the call up (the client went away). Called at most once, before `send` returns. */
  readonly onStart?: (cancel: () => void) => void
}

export interface UpstreamAnswer {
  readonly kind: 'answer'
  readonly status: number
  /** Hop-by-hop headers included; taking them off is the engine's matter. */
  readonly headers: HeaderPairs
  /** Whole when it was short and came at once, which saves the streaming machinery. */
  readonly body: ByteStream | Uint8Array | undefined
  /** Length of a streaming body when the upstream told it. */
  readonly bodyLength: number | undefined
}

export interface UpstreamFault {
  readonly kind: 'fault'
  readonly reason: 'refused' | 'unknown-host' | 'timeout' | 'broken' | 'cancelled'
  readonly cause: unknown
}
