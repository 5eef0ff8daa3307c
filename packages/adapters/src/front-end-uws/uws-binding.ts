/**
 * The part of uWebSockets.js that is used here, written down because the package is loaded at run time and may be
 * missing: there is a binary for some platforms and Node versions only. Called "uWS" in this folder.
 */

/** An answer to be written. Dead, and dangerous to touch, once ended or aborted. */
export interface UwsResponse {
  writeStatus(status: string): UwsResponse
  writeHeader(name: string | Uint8Array, value: string | Uint8Array): UwsResponse
  /** Sends a chunk of a chunked answer; false: it was buffered, wait for `onWritable`. */
  write(chunk: string | Uint8Array): boolean
  end(body?: string | Uint8Array, closeConnection?: boolean): UwsResponse
  endWithoutBody(): UwsResponse
  /** Sends what fits of a body of known size: whether all of it did, and whether the body is complete. */
  tryEnd(chunk: Uint8Array, totalSize: number): [ok: boolean, done: boolean]
  getWriteOffset(): number
  onWritable(handler: (offset: number) => boolean): UwsResponse
  onAborted(handler: () => void): UwsResponse
  /** The chunk is only valid during the call. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): UwsResponse
  cork(write: () => void): UwsResponse
  close(): UwsResponse
  pause(): void
  resume(): void
  /** 4 or 16 bytes. */
  getRemoteAddress(): ArrayBuffer
  /** Changes the protocol to WebSocket; the response is dead afterwards, and `open` was called. */
  upgrade(userData: object, key: string, protocol: string, extensions: string, context: UwsSocketContext): void
}

/** Which socket a response is on; handed back to `upgrade`. */
export type UwsSocketContext = object

/** A client's WebSocket. Dead once `close` was called. */
export interface UwsWebSocket {
  getUserData(): object
  send(message: Uint8Array | string, isBinary: boolean, compress: boolean): number
  sendFirstFragment(message: Uint8Array, isBinary: boolean, compress: boolean): number
  sendFragment(message: Uint8Array, compress: boolean): number
  sendLastFragment(message: Uint8Array, compress: boolean): number
  ping(message: Uint8Array): number
  getBufferedAmount(): number
  /** Sends a close frame and waits for that of the client. */
  end(code?: number, reason?: Uint8Array): void
  /** Cuts the connection. */
  close(): void
  cork(write: () => void): void
}

/** How WebSockets on a pattern behave. */
export interface UwsWebSocketBehavior {
  readonly maxPayloadLength: number
  /** Bytes after which uWS drops what is sent; 0: it never does. */
  readonly maxBackpressure: number
  /** Seconds; uWS sends pings before it is over. */
  readonly idleTimeout: number
  readonly compression: number
  /** Called for requests with a key of WebSocket, instead of the handlers of `any`. */
  upgrade(res: UwsResponse, req: UwsRequest, context: UwsSocketContext): void
  open(ws: UwsWebSocket): void
  message(ws: UwsWebSocket, message: ArrayBuffer, isBinary: boolean): void
  pong(ws: UwsWebSocket, message: ArrayBuffer): void
  drain(ws: UwsWebSocket): void
  close(ws: UwsWebSocket, code: number, message: ArrayBuffer): void
}

/** A request's head. Dead when the handler returns. */
export interface UwsRequest {
  getCaseSensitiveMethod(): string
  getUrl(): string
  getQuery(): string | undefined
  forEach(each: (name: string, value: string) => void): void
}

export interface UwsApp {
  /** Called with +1 when a connection is made and with -1 when it ends. */
  filter(handler: (res: UwsResponse, change: number) => void): UwsApp
  any(pattern: string, handler: (res: UwsResponse, req: UwsRequest) => void): UwsApp
  ws(pattern: string, behavior: UwsWebSocketBehavior): UwsApp
  listen(host: string, port: number, options: number, done: (socket: object | false) => void): UwsApp
  /** Closes every socket at once. */
  close(): UwsApp
}

export interface Uws {
  App(): UwsApp
  us_listen_socket_close(socket: object): void
  us_socket_local_port(socket: object): number
  LIBUS_LISTEN_DEFAULT: number
  LIBUS_LISTEN_EXCLUSIVE_PORT: number
  _cfg?(setting: string): void
}

let loading: Promise<Uws> | undefined

/**
 * Loads uWS once for the process. The greatest size of headers can only be set before that, so the first caller's
 * number counts. Rejects when there is no binary for this platform and Node version.
 */
export function loadUws(maxHeaderBytes: number): Promise<Uws> {
  loading ??= load(maxHeaderBytes)
  return loading
}

async function load(maxHeaderBytes: number): Promise<Uws> {
  process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(maxHeaderBytes)
  const loaded = (await import('uWebSockets.js')) as unknown as Uws & { default?: Uws }
  const uws = typeof loaded.App === 'function' ? loaded : loaded.default
  if (uws === undefined) throw new Error('the package is not uWebSockets.js')
  // Leaves the header out that names the server and its version.
  uws._cfg?.('999999990007')
  return uws
}

/** Whether uWS can be loaded here, or why not, in words for the log. */
export async function uwsAvailable(maxHeaderBytes = 65_536): Promise<true | string> {
  try {
    await loadUws(maxHeaderBytes)
    return true
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).split('\n')[0]
    return `uWebSockets.js cannot be loaded on Node ${process.versions.node} (${process.platform}-${process.arch}): ${reason}`
  }
}
