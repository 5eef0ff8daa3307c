/** The WebSocket handshake on uWS (RFC 6455 section 4.2.1). */
import type { HeaderPairs } from '@turnpike/core/http'
import { headerOf, removeHeader } from '@turnpike/core/http'
import type { UwsRequest, UwsResponse, UwsSocketContext, UwsWebSocket, UwsWebSocketBehavior } from './uws-binding.ts'
import { maxMessageBytes, type WebSocketTunnel } from './web-socket-tunnel.ts'

/** The arguments that uWS needs to upgrade a request to a WebSocket. */
export interface WebSocketUpgrade {
  readonly key: string
  readonly context: UwsSocketContext
}

/** Limits of uWS for the seconds without traffic after which a connection is closed. */
const [minIdleSeconds, maxIdleSeconds] = [8, 960]

/** Returns the upgrade of a request, or `undefined` for an ordinary request. Removes the offered extensions. */
export function readWebSocketUpgrade(
  method: string,
  headers: HeaderPairs,
  bodyLength: number | undefined,
  context: UwsSocketContext,
): WebSocketUpgrade | undefined {
  if (method !== 'GET' || bodyLength !== 0) return undefined
  if (headerOf(headers, 'upgrade')?.toLowerCase() !== 'websocket') return undefined
  if (!/(?:^|,)\s*upgrade\s*(?:,|$)/i.test(headerOf(headers, 'connection') ?? '')) return undefined
  const key = headerOf(headers, 'sec-websocket-key')
  if (key === undefined || headerOf(headers, 'sec-websocket-version') !== '13') return undefined
  removeHeader(headers, 'sec-websocket-extensions')
  return { key, context }
}

const handshakeHeaders: ReadonlySet<string> = new Set([
  'sec-websocket-accept',
  'sec-websocket-protocol',
  'sec-websocket-extensions',
])

/** Returns the headers of the upstream's 101 response without those that uWS writes itself. */
export function withoutHandshake(headers: HeaderPairs): HeaderPairs {
  return headers.filter((_, i) => !handshakeHeaders.has(headers[i - (i % 2)] as string))
}

const socketOf = (ws: UwsWebSocket) => (ws.getUserData() as { readonly webSocket: WebSocketTunnel }).webSocket

/** Returns the WebSocket options of uWS. `onRequest` handles requests for an upgrade. `idleMs`: 0 is no limit. */
export function webSocketBehavior(
  idleMs: number,
  onRequest: (res: UwsResponse, req: UwsRequest, context: UwsSocketContext) => void,
): UwsWebSocketBehavior {
  return {
    maxPayloadLength: maxMessageBytes,
    maxBackpressure: 0,
    idleTimeout: idleMs === 0 ? 0 : Math.min(maxIdleSeconds, Math.max(minIdleSeconds, Math.ceil(idleMs / 1000))),
    // Pings are traffic, so a client without messages would never be idle.
    sendPingsAutomatically: false,
    compression: 0,
    upgrade: onRequest,
    open: (ws) => socketOf(ws).opened(ws),
    message: (ws, message, isBinary) => socketOf(ws).message(message, isBinary),
    pong: (ws, message) => socketOf(ws).pong(message),
    drain: (ws) => socketOf(ws).drained(),
    close: (ws, code, message) => socketOf(ws).closed(code, message),
  }
}
