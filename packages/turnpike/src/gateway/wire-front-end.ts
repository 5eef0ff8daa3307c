/**
 * Chooses the HTTP server: that of our own, unless the configuration names another. uWebSockets.js supports neither TLS nor
 * HTTP/2, so ports that need them use our own. The TCP port of a single API may use another protocol than the gateway's
 * port.
 */
import type { FrontEndOptions, RenewableTlsOptions } from '@turnpike/adapters/front-end-http1'
import { makeByteBudget } from '@turnpike/core/cache'
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
  const bodyStallMs = (config.bodyStallTimeout > 0 ? config.bodyStallTimeout : 60) * 1000
  return {
    maxHeaderBytes,
    headerTimeoutMs: config.headTimeout * 1000,
    keepAliveMs: config.idleTimeout * 1000,
    bodyStallMs,
    writeStallMs: config.writeTimeout > 0 ? config.writeTimeout * 1000 : bodyStallMs,
    tunnelIdleMs: config.websocketIdleTimeout * 1000,
    tunnelBudget: {
      maxEach: config.websocketMaxBufferSize,
      ...makeByteBudget(config.websocketMaxTotalBufferSize),
    },
    maxBodyBytes: config.httpServerOptions.maxRequestBodySize,
    closeConnections: config.closeConnections,
    limitReceiveBuffer: true,
    reusePort: config.workers > 1,
    log,
  }
}

export type FrontEndChoice = 'auto' | 'http1' | 'uws' | 'node'

export async function wireFrontEnds(
  choice: FrontEndChoice | FrontEnd,
  config: GatewayConfig,
  log: Log,
  names: TlsNames,
): Promise<FrontEnds> {
  const options = frontEndOptions(config, log)
  const { enableHttp2, useSsl } = config.httpServerOptions
  const make = async (more: { http2: boolean; tls?: RenewableTlsOptions }): Promise<FrontEnd> => {
    if (choice === 'node') {
      const { makeNodeFrontEnd } = await import('@turnpike/adapters/front-end-node')
      return makeNodeFrontEnd({ ...options, ...more })
    }
    const { makeHttp1FrontEnd } = await import('@turnpike/adapters/front-end-http1')
    return makeHttp1FrontEnd({ ...options, ...more })
  }
  const makePlain = () => (choice === 'uws' ? makeUws(options, log) : make({ http2: enableHttp2 }))
  let serverTls: ServerTls | undefined
  const tls = once(async () => {
    serverTls = await wireTls(config, names, log)
    return serverTls.options
  })
  const renewCertificates = async () => serverTls?.reload()
  const secure = once(async () => make({ http2: enableHttp2, tls: await tls() }))
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
    const http2 = once(() => make({ http2: true }))
    return (protocol) => (protocol === 'http' ? plain() : protocol === 'https' ? encrypted() : http2())
  }
}

/** Logs the limits of uWebSockets.js once it listens. Rejects if it cannot be loaded. */
async function makeUws(options: FrontEndOptions, log: Log): Promise<FrontEnd> {
  const { makeUwsFrontEnd, uwsAvailable, uwsLimits } = await import('@turnpike/adapters/front-end-uws')
  const available = await uwsAvailable()
  if (available !== true) throw new Error(`front_end is "uws", but ${available.reason}`)
  const frontEnd = makeUwsFrontEnd(options)
  let isLogged = false
  return {
    ...frontEnd,
    async listen(handle, at) {
      const listening = await frontEnd.listen(handle, at)
      if (!isLogged) log.warn('uWebSockets.js has limits that the front end http1 does not have', { limits: uwsLimits })
      isLogged = true
      return listening
    },
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
