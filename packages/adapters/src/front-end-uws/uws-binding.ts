/**
 * Types of the used part of uWebSockets.js ("uWS" in this folder), and its loader. The types are declared here because
 * the package is optional: it has binaries for some platforms and Node versions only.
 */
import { findUwsProblem, uwsInstallCommand } from './verify-uws.ts'

/** A response. It is invalid once it has ended or was aborted; using it then can crash the process. */
export interface UwsResponse {
  writeStatus(status: string): UwsResponse
  writeHeader(name: string | Uint8Array, value: string | Uint8Array): UwsResponse
  /** Sends a chunk of a chunked body. Returns false if it was buffered; wait for `onWritable` then. */
  write(chunk: string | Uint8Array): boolean
  end(body?: string | Uint8Array, closeConnection?: boolean): UwsResponse
  endWithoutBody(): UwsResponse
  /** Sends what fits of a body of known size. `ok`: the whole chunk was sent. `done`: the body is complete. */
  tryEnd(chunk: Uint8Array, totalSize: number): [ok: boolean, done: boolean]
  getWriteOffset(): number
  onWritable(handler: (offset: number) => boolean): UwsResponse
  onAborted(handler: () => void): UwsResponse
  /** The chunk is valid only during the call. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): UwsResponse
  cork(write: () => void): UwsResponse
  close(): UwsResponse
  pause(): void
  resume(): void
  /** 4 or 16 bytes. */
  getRemoteAddress(): ArrayBuffer
  /** Switches to WebSocket and calls `open`. The response is invalid afterwards. */
  upgrade(userData: object, key: string, protocol: string, extensions: string, context: UwsSocketContext): void
}

/** The socket of a response, to be passed to `upgrade`. */
export type UwsSocketContext = object

/** The WebSocket of a client. It is invalid once `UwsWebSocketBehavior.close` was called. */
export interface UwsWebSocket {
  getUserData(): object
  send(message: Uint8Array | string, isBinary: boolean, compress: boolean): number
  sendFirstFragment(message: Uint8Array, isBinary: boolean, compress: boolean): number
  sendFragment(message: Uint8Array, compress: boolean): number
  sendLastFragment(message: Uint8Array, compress: boolean): number
  ping(message: Uint8Array): number
  getBufferedAmount(): number
  /** Sends a close frame and waits for the client's close frame. */
  end(code?: number, reason?: Uint8Array): void
  /** Closes the connection without a close frame. */
  close(): void
  cork(write: () => void): void
}

/** Options and callbacks of the WebSockets of one URL pattern. */
export interface UwsWebSocketBehavior {
  readonly maxPayloadLength: number
  /** Buffered bytes above which uWS drops messages; 0 disables the limit. */
  readonly maxBackpressure: number
  /** Seconds without traffic until the connection is closed: 0 for no limit, or 8 to 960. */
  readonly idleTimeout: number
  /** Whether uWS sends pings before the time is over. */
  readonly sendPingsAutomatically: boolean
  readonly compression: number
  /** Called instead of the handler of `any` for requests with a Sec-WebSocket-Key header. */
  upgrade(res: UwsResponse, req: UwsRequest, context: UwsSocketContext): void
  open(ws: UwsWebSocket): void
  message(ws: UwsWebSocket, message: ArrayBuffer, isBinary: boolean): void
  pong(ws: UwsWebSocket, message: ArrayBuffer): void
  drain(ws: UwsWebSocket): void
  close(ws: UwsWebSocket, code: number, message: ArrayBuffer): void
}

/** The head of a request. It is invalid after the handler's first `await`: see uws-request-lifetime.ts. */
export interface UwsRequest {
  getCaseSensitiveMethod(): string
  getUrl(): string
  getQuery(): string | undefined
  forEach(each: (name: string, value: string) => void): void
}

export interface UwsApp {
  /** Calls the handler with 1 if a connection opens and with -1 if it closes. */
  filter(handler: (res: UwsResponse, change: number) => void): UwsApp
  any(pattern: string, handler: (res: UwsResponse, req: UwsRequest) => void): UwsApp
  ws(pattern: string, behavior: UwsWebSocketBehavior): UwsApp
  listen(host: string, port: number, options: number, done: (socket: object | false) => void): UwsApp
  /** Closes all sockets immediately. */
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
 * Loads uWS once per process. The maximum header size can be set only before loading, so the first caller decides it.
 * Rejects if there is no binary for this platform and Node version, or if a file of the package is not the pinned one.
 */
export function loadUws(maxHeaderBytes: number): Promise<Uws> {
  loading ??= load(maxHeaderBytes)
  return loading
}

async function load(maxHeaderBytes: number): Promise<Uws> {
  const problem = await findUwsProblem(import.meta.resolve('uWebSockets.js'))
  if (problem !== undefined) throw new Error(problem)
  process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(maxHeaderBytes)
  const loaded = (await import('uWebSockets.js')) as unknown as Uws & { default?: Uws }
  const uws = typeof loaded.App === 'function' ? loaded : loaded.default
  if (uws === undefined) throw new Error('the package is not uWebSockets.js')
  // Disables the response header that names the server and its version.
  uws._cfg?.('999999990007')
  return uws
}

/** Why uWS cannot be used. */
export interface UwsUnavailable {
  /** The package is not installed, which is the default; otherwise it is installed and cannot be loaded. */
  readonly isMissing: boolean
  /** One line for the log. */
  readonly reason: string
}

/** Resolves to true if uWS can be loaded, or else to the reason. */
export async function uwsAvailable(maxHeaderBytes = 65_536): Promise<true | UwsUnavailable> {
  try {
    await loadUws(maxHeaderBytes)
    return true
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    if (code === 'ERR_MODULE_NOT_FOUND' && message.includes("'uWebSockets.js'")) {
      return { isMissing: true, reason: `uWebSockets.js is not installed: ${uwsInstallCommand}` }
    }
    const where = `Node ${process.versions.node} (${process.platform}-${process.arch})`
    return { isMissing: false, reason: `uWebSockets.js cannot be loaded on ${where}: ${message.split('\n')[0]}` }
  }
}
