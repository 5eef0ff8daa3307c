/**
 * The front end on uWebSockets.js ("uWS" in this folder). Known properties of uWS's HTTP parser,
 * verified on the installed version, and how this front end handles them:
 *
 * - uWS rejects HTTP/1.0 and targets that do not begin with a slash (505), more than 99 headers or `maxHeaderBytes`
 *   (431), Content-Length together with Transfer-Encoding, and a Content-Length that is not a number (400).
 * - uWS wrongly rejects a request line that arrives in two packets, split behind the method or inside ` HTTP/1.1`
 *   (505). There is no workaround. Request lines longer than a packet make it more likely.
 * - uWS sends no response to heads that are incomplete, lack Host, or contain folded lines, spaces before a colon, most
 *   control characters or a leading empty line. It closes the connection after 8 to 12 s. `headerTimeoutMs` and
 *   `keepAliveMs` have no effect.
 * - uWS accepts two Content-Length or Host lines, any Transfer-Encoding, fragments, and methods that are not a token.
 *   This front end rejects them. It responds in the next iteration of the event loop: after an immediate response, uWS
 *   would parse the following bytes of the packet as another request; before a response, it closes the connection.
 * - uWS decodes chunked bodies leniently: it accepts wrong line ends and misreads trailers and chunk extensions, so the
 *   end of a chunked body is not certain. Such a request is the last one of its connection: the response has
 *   `Connection: close`, and later bytes are not read. The same applies to a POST without a length, because uWS hides
 *   all headers after one with an empty name, so a Content-Length may exist.
 * - uWS closes the connection if a request arrives before an asynchronous response to the previous one (pipelining).
 *   Synchronous responses are pipelined in order.
 * - WebSocket is the only supported upgrade. Other upgrade requests are served as ordinary requests (RFC 9110 section
 *   7.8). WebSocket extensions such as compression are not offered, because uWS would decompress what is only
 *   forwarded.
 * - uWS continues to read a paused body while each read fills its buffer: see limit-receive-buffer.ts.
 * - Header values arrive decoded as UTF-8, and uWS trims bytes above ASCII at both ends of a value.
 * - Request objects are invalid after the first `await`: see uws-request-lifetime.ts.
 */
import type { GatewayResponse } from '@turnpike/core/http'
import { hasBrokenEscape, isPromise } from '@turnpike/core/lib'
import type { Address, FrontEnd, Handle, Listening } from '@turnpike/core/ports'
import { watchDescriptors } from '../front-end-common/descriptor-watch.ts'
import { type ErrorResponse, errorResponses, textResponse } from '../front-end-common/error-responses.ts'
import { Framing } from '../front-end-common/framing.ts'
import {
  type FrontEndOptions,
  type ResolvedFrontEndOptions,
  resolveOptions,
} from '../front-end-common/front-end-options.ts'
import { listenError, probePort } from '../front-end-common/listen-error.ts'
import { isMethod, isValidTargetText } from '../front-end-common/request-target.ts'
import { makeServerState } from '../front-end-common/server-state.ts'
import { limitReceiveBuffer, openSockets } from './limit-receive-buffer.ts'
import { addressText } from './remote-address.ts'
import { SingleClientAddress } from './single-client-address.ts'
import { loadUws, type Uws, type UwsRequest, type UwsResponse, type UwsSocketContext } from './uws-binding.ts'
import { writeErrorResponse } from './uws-error-response.ts'
import { UwsExchange } from './uws-exchange.ts'
import { makeRequestReader, type RequestHead } from './uws-request-lifetime.ts'
import type { UwsServerState } from './uws-server-state.ts'
import { readWebSocketUpgrade, webSocketBehavior } from './web-socket-upgrade.ts'

export { type UwsUnavailable, uwsAvailable } from './uws-binding.ts'
export { missingUwsBinary } from './verify-uws.ts'

/** What users of this front end must know; the gateway logs it at the start. */
export const uwsLimits =
  'no HTTP/1.0, no absolute targets, no pipelining behind pending responses, no request line in two packets (505), bytes above 0x7F at the ends of header values are removed, idle connections close after 11 s, no TLS, no HTTP/2, no trailers'

/** Makes a front end on uWebSockets.js. `listen` rejects if it cannot be loaded; call `uwsAvailable` before. */
export function makeUwsFrontEnd(given: FrontEndOptions = {}): FrontEnd {
  const options = resolveOptions(given)
  return { name: 'uws', listen: (handle, at) => listen(handle, at, options) } satisfies FrontEnd
}

/** Milliseconds between the last response and the close of all connections, so that its bytes are sent. */
const flushMs = 20

async function listen(handle: Handle, at: Address, options: ResolvedFrontEndOptions): Promise<Listening> {
  const uws = await loadUws(options.maxHeaderBytes)
  const app = uws.App()
  const state: UwsServerState = {
    ...makeServerState(options),
    clientAddress: new SingleClientAddress(),
    webSockets: new Set(),
  }
  const countConnection = (res: UwsResponse, change: number): void => {
    if (change > 0) state.clientAddress.connected(addressText(new Uint8Array(res.getRemoteAddress())))
    else state.clientAddress.disconnected()
  }
  app.filter(countConnection)
  const onRequest = makeRequestHandler(handle, state)
  app.any('/*', (res, req) => onRequest(res, req, undefined))
  app.ws('/*', webSocketBehavior(options.tunnelIdleMs, onRequest))
  const { socket: first, descriptors } = await openSocket(uws, app, at, options).catch((error) => {
    state.stallDetector.stop()
    throw error
  })
  const port = uws.us_socket_local_port(first)
  const listener = followDescriptors(uws, app, first, { ...at, port }, options)
  const cancelBufferLimit = options.limitReceiveBuffer ? limitReceiveBuffer(descriptors, options.log) : undefined
  return {
    port,
    async close(graceMs) {
      if (state.draining) return
      state.draining = true
      cancelBufferLimit?.()
      listener.close()
      if (await state.inFlight.whenIdle(graceMs)) await new Promise((resolve) => setTimeout(resolve, flushMs))
      for (const webSocket of state.webSockets) webSocket.closeGoingAway()
      // Idle connections stay open until here, because a request may be in transit on one of them.
      app.close()
      state.stallDetector.stop()
    },
  }
}

/** Does not listen while the process is out of file descriptors, because uWS would try to accept connections all the time. */
function followDescriptors(
  uws: Uws,
  app: ReturnType<Uws['App']>,
  first: object,
  at: Address,
  options: ResolvedFrontEndOptions,
): { close(): void } {
  let socket: object | undefined = first
  const stop = () => {
    if (socket !== undefined) uws.us_listen_socket_close(socket)
    socket = undefined
  }
  const cancel = watchDescriptors(options.log, {
    exhausted: stop,
    available() {
      const failed = (error: unknown) => options.log.error('the port cannot be opened again', { cause: String(error) })
      openSocket(uws, app, at, options).then((opened) => {
        socket = opened.socket
      }, failed)
    },
  })
  return {
    close() {
      cancel()
      stop()
    },
  }
}

interface ListeningSocket {
  readonly socket: object
  /** File descriptors of sockets opened with it, itself included; empty if receive buffers are not limited. */
  readonly descriptors: readonly number[]
}

function openSocket(
  uws: Uws,
  app: ReturnType<Uws['App']>,
  at: Address,
  options: ResolvedFrontEndOptions,
): Promise<ListeningSocket> {
  return new Promise((resolve, reject) => {
    const before = new Set(options.limitReceiveBuffer ? openSockets() : [])
    // By default uWS silently shares the port with another process that listens on it.
    const mode = options.reusePort ? uws.LIBUS_LISTEN_DEFAULT : uws.LIBUS_LISTEN_EXCLUSIVE_PORT
    app.listen(at.host, at.port, mode, (socket) => {
      const after = socket && options.limitReceiveBuffer ? openSockets() : []
      if (socket) resolve({ socket, descriptors: after.filter((descriptor) => !before.has(descriptor)) })
      else probePort(at).then((reason) => reject(listenError(at, reason)), reject)
    })
  })
}

type RequestHandler = (res: UwsResponse, req: UwsRequest, context: UwsSocketContext | undefined) => void

function makeRequestHandler(handle: Handle, state: UwsServerState): RequestHandler {
  const framing = new Framing()
  const readRequest = makeRequestReader()

  return (res, req, context) => {
    const head = readRequest(req)
    const { method, headers } = head
    const errorResponse = framing.read(headers) ?? errorResponseFor(head)
    if (errorResponse !== undefined) {
      reject(res, errorResponse, method === 'HEAD')
      return
    }
    const { bodyLength } = framing
    const limit = state.options.maxBodyBytes
    if (limit > 0 && bodyLength !== undefined && bodyLength > limit) {
      reject(res, errorResponses.bodyTooLarge, method === 'HEAD')
      return
    }
    const last = bodyLength === undefined || (!framing.hasLengthHeader && mayHaveBody(method))
    const exchange = new UwsExchange(res, head, bodyLength, last, framing.wantsClose, state)
    if (context !== undefined) exchange.webSocketUpgrade = readWebSocketUpgrade(method, headers, bodyLength, context)
    exchange.readBody()
    respond(exchange)
  }

  function respond(exchange: UwsExchange): void {
    try {
      const response = handle(exchange)
      if (!isPromise(response)) {
        exchange.sendNow(response)
        return
      }
      exchange.goAsync()
      response.then(
        (it) => sendLater(exchange, it),
        (error) => failed(exchange, error),
      )
    } catch (error) {
      exchange.goAsync()
      failed(exchange, error)
    }
  }

  // Catches here, because a `catch` after `then` would create another promise for each request.
  function sendLater(exchange: UwsExchange, response: GatewayResponse): void {
    try {
      exchange.sendLater(response)
    } catch (error) {
      failed(exchange, error)
    }
  }

  function failed(exchange: UwsExchange, error: unknown): void {
    state.options.log.error('the handler of a request failed', { error })
    exchange.sendLater(textResponse(errorResponses.internalError))
  }

  function reject(res: UwsResponse, errorResponse: ErrorResponse, isHead: boolean): void {
    if (errorResponse.keepAlive && !state.draining && !state.options.closeConnections) {
      // uWS knows the length of this body and discards it.
      writeErrorResponse(res, errorResponse, { isHead, close: false })
      return
    }
    let aborted = false
    res.onAborted(() => {
      aborted = true
    })
    setImmediate(() => {
      if (!aborted) res.cork(() => writeErrorResponse(res, errorResponse, { isHead, close: true }))
    })
  }
}

function errorResponseFor({ method, path, query, hasControlCharacter }: RequestHead): ErrorResponse | undefined {
  if (hasControlCharacter) return errorResponses.badMessage
  if (!isValidTargetText(path) || !isValidTargetText(query)) return errorResponses.badTarget
  if (hasBrokenEscape(path)) return errorResponses.badEscape
  if (!isMethod(method)) return errorResponses.badMethod
  return method === 'CONNECT' ? errorResponses.connectNotSupported : undefined
}

function mayHaveBody(method: string): boolean {
  switch (method) {
    case 'GET':
    case 'HEAD':
    case 'OPTIONS':
    case 'DELETE':
    case 'TRACE':
      return false
    default:
      return true
  }
}
