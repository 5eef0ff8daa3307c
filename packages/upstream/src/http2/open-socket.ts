/** Opens the connection of an HTTP/2 session, directly or through a proxy, with TLS for `https:` origins. */
import { connect, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { UpstreamOptions } from '@turnpike/core/ports'
import type { FindPem } from '../undici/certificate-source.ts'
import { makeConnector } from '../undici/connector.ts'
import { openProxyTunnel, parseProxy } from '../undici/proxy-tunnel.ts'
import { Http1Selected } from './session-pool.ts'

export interface SocketOptions {
  readonly linkOptions: UpstreamOptions
  readonly connectTimeoutMs: number
  readonly findPem: FindPem
}

/** Returns the function that opens connections to an origin. */
export function makeOpenSocket(origin: string, options: SocketOptions): () => Promise<Socket> {
  const { linkOptions, connectTimeoutMs } = options
  const secure = origin.startsWith('https:')
  const { hostname, port } = new URL(`${secure ? 'https' : 'http'}://${origin.slice(origin.indexOf('://') + 3)}`)
  if (secure) return makeOpenTls(hostname, port, options)
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) }
  const { proxyUrl } = linkOptions
  if (proxyUrl === undefined) return () => openPlain(target.host, target.port, connectTimeoutMs)
  return async () => openProxyTunnel(parseProxy(proxyUrl), `${hostname}:${target.port}`, connectTimeoutMs)
}

function makeOpenTls(hostname: string, port: string, options: SocketOptions): () => Promise<Socket> {
  const { linkOptions, connectTimeoutMs, findPem } = options
  const connector = makeConnector({
    serverName: hostname,
    options: linkOptions,
    http2: true,
    connectTimeoutMs,
    findPem,
  })
  return () =>
    new Promise((resolve, reject) => {
      connector({ hostname, protocol: 'https:', port, servername: hostname }, (error, socket) => {
        if (!(socket instanceof TLSSocket)) reject(error ?? new Error('no connection'))
        else if (socket.alpnProtocol === 'h2') resolve(socket)
        else {
          socket.destroy()
          reject(new Http1Selected())
        }
      })
    })
}

function openPlain(host: string, port: number, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true, keepAlive: true })
    const timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error(`no connection within ${timeoutMs} ms`), { code: 'ETIMEDOUT' }))
    }, timeoutMs)
    const fail = (error: Error) => {
      clearTimeout(timer)
      reject(error)
    }
    socket.once('error', fail)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', fail)
      resolve(socket)
    })
  })
}
