/**
 * Chooses the HTTP server: uWebSockets.js where it loads, else node:http, with one line that says so. TLS and HTTP/2 live
 * on the node front end.
 */
import type { FrontEnd, Log } from '@turnpike/core'
import type { GatewayConfig } from '../config/config-shape.ts'
import { type TlsNames, wireTls } from './wire-tls.ts'

/** Largest head of a request, bytes: real tokens are long. */
const maxHeaderBytes = 65_536

export async function wireFrontEnd(
  wish: 'auto' | 'uws' | 'node' | FrontEnd,
  config: GatewayConfig,
  log: Log,
  names: TlsNames,
): Promise<FrontEnd> {
  if (typeof wish === 'object') return wish
  const options = {
    maxHeaderBytes,
    bodyStallMs: (config.bodyStallTimeout > 0 ? config.bodyStallTimeout : 60) * 1000,
    maxBodyBytes: config.httpServerOptions.maxRequestBodySize,
    closesConnections: config.closeConnections,
    limitsReceiveBuffer: true,
    sharesPort: config.workers > 1,
    log,
  }
  const tls = await wireTls(config, names)
  const http2 = config.httpServerOptions.enableHttp2
  if (http2 && wish === 'uws') log.warn('front_end is "uws", so that http_server_options.enable_http2 has no effect')
  if (wish !== 'node' && tls === undefined && !(wish === 'auto' && http2)) {
    const { makeUwsFrontEnd, uwsAvailable } = await import('@turnpike/adapters/front-end-uws')
    const available = await uwsAvailable()
    if (available === true) return makeUwsFrontEnd(options)
    if (wish === 'uws') throw new Error(`front_end is "uws", but uWebSockets.js does not load: ${available}`)
    log.warn('uWebSockets.js does not load, the node front end takes over', { reason: available })
  }
  const { makeNodeFrontEnd } = await import('@turnpike/adapters/front-end-node')
  return makeNodeFrontEnd(tls === undefined ? { ...options, http2 } : { ...options, http2, tls })
}
