/**
 * Chooses the HTTP server: uWebSockets.js if it loads, otherwise node:http with one log line. Only the node front end
 * supports TLS and HTTP/2. The TCP port of a single API may use another protocol than the gateway's port.
 */
import type { FrontEndOptions, RenewableTlsOptions } from '@turnpike/adapters/front-end-node'
import type { FrontEnd, Log } from '@turnpike/core/ports'
import type { GatewayConfig } from '../config/config-shape.ts'
import { type ServerTls, type TlsNames, wireTls } from './wire-tls.ts'

/** Bytes of the request head; 64 KiB because headers can contain long JSON web tokens. */
const maxHeaderBytes = 65_536

export interface FrontEnds {
  /** The front end of the gateway's own ports. */
  readonly main: FrontEnd
  /** Returns the front end for the port of an API. Rejects if the protocol needs a certificate that is missing. */
  of(protocol: 'http' | 'https' | 'h2c'): Promise<FrontEnd>
  /** Returns the TLS options. Rejects if the gateway has no certificate. */
  tls(): Promise<RenewableTlsOptions>
  /** Takes over renewed certificate files, if the gateway uses TLS. */
  renewCertificates(): Promise<void>
}

/** The options of all front ends. */
export function frontEndOptions(config: GatewayConfig, log: Log): FrontEndOptions {
  return {
    maxHeaderBytes,
    bodyStallMs: (config.bodyStallTimeout > 0 ? config.bodyStallTimeout : 60) * 1000,
    maxBodyBytes: config.httpServerOptions.maxRequestBodySize,
    closeConnections: config.closeConnections,
    limitReceiveBuffer: true,
    reusePort: config.workers > 1,
    log,
  }
}

export async function wireFrontEnds(
  choice: 'auto' | 'uws' | 'node' | FrontEnd,
  config: GatewayConfig,
  log: Log,
  names: TlsNames,
): Promise<FrontEnds> {
  const options = frontEndOptions(config, log)
  const { enableHttp2, useSsl } = config.httpServerOptions
  const makeNode = async (more: { http2: boolean; tls?: RenewableTlsOptions }): Promise<FrontEnd> => {
    const { makeNodeFrontEnd } = await import('@turnpike/adapters/front-end-node')
    return makeNodeFrontEnd({ ...options, ...more })
  }
  const makePlain = async (): Promise<FrontEnd> => {
    if (choice === 'node' || typeof choice === 'object' || (choice === 'auto' && enableHttp2)) {
      return makeNode({ http2: enableHttp2 })
    }
    const { makeUwsFrontEnd, uwsAvailable } = await import('@turnpike/adapters/front-end-uws')
    const available = await uwsAvailable()
    if (available === true) return makeUwsFrontEnd(options)
    const { isMissing, reason } = available
    if (choice === 'uws') throw new Error(`front_end is "uws", but ${reason}`)
    log[isMissing ? 'info' : 'warn']('the gateway uses the node front end', { reason })
    return makeNode({ http2: enableHttp2 })
  }
  let serverTls: ServerTls | undefined
  const tls = once(async () => {
    serverTls = await wireTls(config, names, log)
    return serverTls.options
  })
  const renewCertificates = async () => serverTls?.reload()
  const secure = once(async () => makeNode({ http2: enableHttp2, tls: await tls() }))
  if (typeof choice === 'object') return { main: choice, of: selectFrom(choice), tls, renewCertificates }
  if (enableHttp2 && choice === 'uws') {
    log.warn('http_server_options.enable_http2 has no effect, because front_end is "uws"')
  }
  const main = useSsl ? await secure() : await makePlain()
  return { main, of: selectFrom(main), tls, renewCertificates }

  /** Reuses the gateway's own front end if it supports the protocol. */
  function selectFrom(own: FrontEnd): FrontEnds['of'] {
    const plain = own.secure ? once(makePlain) : () => Promise.resolve(own)
    const encrypted = own.secure ? () => Promise.resolve(own) : secure
    const http2 = once(() => makeNode({ http2: true }))
    return (protocol) => (protocol === 'http' ? plain() : protocol === 'https' ? encrypted() : http2())
  }
}

/** Caches the result of `make`. A failure is not cached, because the missing file may be created later. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((cause: unknown) => {
      made = undefined
      throw cause
    })
    return made
  }
}
