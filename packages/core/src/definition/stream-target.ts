/** Targets of APIs that forward bytes: `tcp://host:port`, or `tls://host:port` with TLS to the upstream. */
import { parseTargetUrl } from './target-url.ts'

export interface StreamTarget {
  /** An IPv6 address has no brackets. */
  readonly host: string
  readonly port: number
  readonly secure: boolean
}

/** Parses a target; `undefined`: it is invalid. A path is ignored. */
export function parseStreamTarget(url: string): StreamTarget | undefined {
  const target = parseTargetUrl(url.trim())
  if (target === undefined || (target.scheme !== 'tcp' && target.scheme !== 'tls')) return undefined
  const colon = target.authority.lastIndexOf(':')
  const port = Number(target.authority.slice(colon + 1))
  const host = target.authority.slice(0, Math.max(0, colon)).replace(/^\[(.*)\]$/, '$1')
  if (host === '' || !Number.isInteger(port) || port < 1 || port > 65_535) return undefined
  return { host, port, secure: target.scheme === 'tls' }
}

export const streamTargetMessage = 'is not a stream target; its form is tcp://host:port or tls://host:port'
