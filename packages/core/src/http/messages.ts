/**
 * The two shapes that every package shares: what comes in (`GatewayRequest`) and what goes out (`GatewayResponse`).
 * No adapter's type appears here, and nothing here is an object of the fetch standard: those cost more than the
 * rest of the pipeline together.
 */
import type { ByteStream } from './byte-stream.ts'
import type { HeaderPairs } from './headers.ts'

/** A request as a front end hands it over. Everything is safe to read after an await. */
export interface GatewayRequest {
  /** As sent; methods are case sensitive (RFC 9110, 9.1). */
  readonly method: string
  /** The path as sent: not decoded, dot segments not resolved, without the query. Starts with `/`. */
  readonly path: string
  /** The query as sent, without the question mark; empty when there is none. */
  readonly query: string
  readonly headers: HeaderPairs
  /** Address of the connection's other end, without port. */
  readonly remoteAddress: string
  /** Whether the connection is protected by TLS. */
  readonly secure: boolean
  /** The client's certificate in DER, where the connection asked for one and the client showed it. */
  readonly clientCertificate?: Uint8Array | undefined
  /**
   * The protocol that the client asks to change to (`Upgrade`, RFC 9110, 7.8), lower case, where the front end can
   * do it: an answer with a `tunnel` changes. `undefined`: an ordinary request.
   */
  readonly upgrade?: string | undefined
  /** The body still to be read; `undefined` when the request has none. */
  readonly body: ByteStream | undefined
  /** Bytes of the body as told by `Content-Length`; `undefined` when not told (chunked). 0 without a body. */
  readonly bodyLength: number | undefined
  /**
   * Calls the listener once when the client goes away before its answer is complete.
   * Only the last listener is kept; `undefined` takes it off.
   */
  onAbort(listener: (() => void) | undefined): void
}

/** Body of an answer: whole, still streaming, or none. */
export type GatewayResponseBody = string | Uint8Array | ByteStream | undefined

/** What goes back to the client. */
export interface GatewayResponse {
  status: number
  headers: HeaderPairs
  body: GatewayResponseBody
  /** Bytes of a streaming body when known beforehand; without it the answer is sent chunked. */
  bodyLength?: number | undefined
  /** The connection's bytes after an answer 101; only to requests with `upgrade`. There is no body then. */
  tunnel?: Tunnel | undefined
}

/** A connection to the upstream whose protocol was changed: bytes both ways, until one side ends. */
export interface Tunnel {
  /** What the upstream sends. Cancelling it ends the connection. */
  readonly incoming: ByteStream
  /** Lets the client's bytes flow to the upstream; to be called once. Their end or failure ends the connection. */
  sendFrom(outgoing: ByteStream): void
}
