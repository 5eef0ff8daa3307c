/**
 * Requests and responses as all packages exchange them. They are plain objects instead of `Request` and `Response` of
 * the fetch standard, because creating those costs more time than the whole pipeline.
 */
import type { ByteStream } from './byte-stream.ts'
import type { HeaderPairs } from './headers.ts'

/** A request from a front end. All fields stay readable after an await. */
export interface GatewayRequest {
  /** As received; methods are case-sensitive (RFC 9110, 9.1). */
  readonly method: string
  /** The path as received, without the query: not decoded, with dot segments. Starts with `/`. */
  readonly path: string
  /** The query as received, without the question mark; empty if there is none. */
  readonly query: string
  /** The target ended in a question mark: its query is empty, not missing. Default: false. */
  readonly hasEmptyQuery?: boolean | undefined
  readonly headers: HeaderPairs
  /** IP address of the connection's peer, without port. */
  readonly remoteAddress: string
  /** TCP port of the connection's peer; absent: the front end does not know it. */
  readonly remotePort?: number | undefined
  /** Version of HTTP; read it with `httpVersionOf`, which knows the default. */
  readonly httpVersion?: string
  /** Whether the connection uses TLS. */
  readonly secure: boolean
  /** The client's certificate in DER form, if the gateway requested one and the client presented it. */
  readonly clientCertificate?: Uint8Array | undefined
  /** The further certificates that the client presented, in DER form, from the issuer of its own upwards. Default: none. */
  readonly clientIntermediates?: readonly Uint8Array[] | undefined
  /**
   * The protocol in `Upgrade` (RFC 9110, 7.8), in lower case, if the front end can switch protocols; a response with a
   * `tunnel` switches. `undefined`: an ordinary request.
   */
  readonly upgrade?: string | undefined
  /** The body, not yet read; `undefined` if the request has none. */
  readonly body: ByteStream | undefined
  /** `Content-Length` in bytes; `undefined` if it is missing (chunked), 0 without a body. */
  readonly bodyLength: number | undefined
  /**
   * Calls the listener once if the client disconnects before its response is complete, or if the front end rejects the
   * request, for example because its body stalls. A later call replaces the listener; `undefined` removes it. The stage
   * `forward` cancels the call to the upstream with it.
   */
  onAbort(listener: (() => void) | undefined): void
  /**
   * Sends an interim response (RFC 9110, 15.2) before the final one; ignored once that was sent. Absent: the front end
   * cannot. `status` is 102 or 103.
   */
  sendInterim?(status: number, headers: HeaderPairs): void
}

/** Version of HTTP of a request. Default: `1.1`. */
export function httpVersionOf({ httpVersion = '1.1' }: Pick<GatewayRequest, 'httpVersion'>): string {
  return httpVersion
}

/** Body of a response: complete, streaming, or none. */
export type GatewayResponseBody = string | Uint8Array | ByteStream | undefined

/** A response to the client. */
export interface GatewayResponse {
  status: number
  headers: HeaderPairs
  body: GatewayResponseBody
  /** Bytes of a streaming body, if known in advance; otherwise the response is sent chunked. */
  bodyLength?: number | undefined
  /** The connection after a 101 response, which has no body; only for requests with `upgrade`. */
  tunnel?: Tunnel | undefined
}

/** A connection to the upstream after a protocol switch: bytes in both directions until one side ends. */
export interface Tunnel {
  /** Bytes from the upstream. Cancelling this stream closes the connection. */
  readonly incoming: ByteStream
  /** Sends the client's bytes to the upstream; call it once. Their end or failure closes the connection. */
  sendFrom(outgoing: ByteStream): void
}
