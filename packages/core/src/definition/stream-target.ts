/** The target of an API that passes bytes on: `tcp://host:port`, or `tls://host:port` with TLS towards the upstream. */
import { parseTargetUrl } from './target-url.ts'

export interface StreamTarget {
  /** Without brackets where it is an IPv6 address. */
  readonly host: string
  readonly port: number
  readonly secure: boolean
}

/** `undefined`: nothing can be connected to. A path, which bytes have not, is passed over. */
export function parseStreamTarget(url: string): StreamTarget | undefined {
  const target = parseTargetUrl(url.trim())
  if (target === undefined || (target.scheme !== 'tcp' && target.scheme !== 'tls')) return undefined
  const colon = target.authority.lastIndexOf(':')
  const port = Number(target.authority.slice(colon + 1))
  const host = target.authority.slice(0, Math.max(0, colon)).replace(/^\[(.*)\]$/, '$1')
  if (host === '' || !Number.isInteger(port) || port < 1 || port > 65_535) return undefined
  return { host, port, secure: target.scheme === 'tls' }
}

/** An entry of `target_list`: without a scheme TCP is meant. */
export function listedStreamTarget(entry: string): string {
  const text = entry.trim()
  return text === '' || text.includes('://') ? text : `tcp://${text}`
}

export const streamTargetMessage = 'is no target of bytes; its form is tcp://host:port or tls://host:port'
