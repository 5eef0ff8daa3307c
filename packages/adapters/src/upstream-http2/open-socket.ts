/** Opens the TCP connection of an HTTP/2 session, directly or through a proxy. */
import { connect, type Socket } from 'node:net'
import type { UpstreamOptions } from '@turnpike/core'
import { openProxyTunnel, parseProxy } from '../upstream-undici/proxy-tunnel.ts'

export interface OriginAddress {
  readonly hostname: string
  readonly port: number
}

export async function openSocket(
  { hostname, port }: OriginAddress,
  { proxyUrl }: UpstreamOptions,
  timeoutMs: number,
): Promise<Socket> {
  if (proxyUrl === undefined) return openDirectly(hostname, port, timeoutMs)
  const host = hostname.includes(':') ? `[${hostname}]` : hostname
  return openProxyTunnel(parseProxy(proxyUrl), `${host}:${port}`, timeoutMs)
}

function openDirectly(host: string, port: number, timeoutMs: number): Promise<Socket> {
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
