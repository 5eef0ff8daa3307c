/** The handshake of WebSocket on uWS (RFC 6455, 4.2.1): who asks for it, and how uWS calls the connection back. */
import type { HeaderPairs } from '@turnpike/core'
import { headerOf, removeHeader } from '@turnpike/core'
import type { UwsRequest, UwsResponse, UwsSocketContext, UwsWebSocket, UwsWebSocketBehavior } from './uws-binding.ts'
import { longestMessageBytes, type UwsTunnelSocket } from './uws-web-socket.ts'

/** A client that asks for a WebSocket, and what uWS needs to make one. */
export interface WebSocketWish {
  readonly key: string
  readonly context: UwsSocketContext
}

/** Seconds of silence after which a client is gone; uWS asks with pings before. */
const idleSeconds = 120

/** The wish of a request; `undefined` when it is an ordinary one. Extensions are not passed on. */
export function webSocketWish(
  method: string,
  headers: HeaderPairs,
  bodyLength: number | undefined,
  context: UwsSocketContext,
): WebSocketWish | undefined {
  if (method !== 'GET' || bodyLength !== 0) return undefined
  if (headerOf(headers, 'upgrade')?.toLowerCase() !== 'websocket') return undefined
  if (!/(?:^|,)\s*upgrade\s*(?:,|$)/i.test(headerOf(headers, 'connection') ?? '')) return undefined
  const key = headerOf(headers, 'sec-websocket-key')
  if (key === undefined || headerOf(headers, 'sec-websocket-version') !== '13') return undefined
  removeHeader(headers, 'sec-websocket-extensions')
  return { key, context }
}

const ownHeaders: ReadonlySet<string> = new Set([
  'sec-websocket-accept',
  'sec-websocket-protocol',
  'sec-websocket-extensions',
])

/** The headers of an upstream's 101 without those that uWS writes itself. */
export function withoutHandshake(headers: HeaderPairs): HeaderPairs {
  return headers.filter((_, i) => !ownHeaders.has(headers[i - (i % 2)] as string))
}

const socketOf = (ws: UwsWebSocket) => (ws.getUserData() as { readonly webSocket: UwsTunnelSocket }).webSocket

/** How uWS is to treat WebSockets; `meet` takes the requests that ask for one. */
export function webSocketBehavior(
  meet: (res: UwsResponse, req: UwsRequest, context: UwsSocketContext) => void,
): UwsWebSocketBehavior {
  return {
    maxPayloadLength: longestMessageBytes,
    maxBackpressure: 0,
    idleTimeout: idleSeconds,
    compression: 0,
    upgrade: meet,
    open: (ws) => socketOf(ws).opened(ws),
    message: (ws, message, isBinary) => socketOf(ws).message(message, isBinary),
    pong: (ws, message) => socketOf(ws).pong(message),
    drain: (ws) => socketOf(ws).drained(),
    close: (ws, code, message) => socketOf(ws).closed(code, message),
  }
}
