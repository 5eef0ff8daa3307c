import { parseProxy } from './proxy-tunnel.ts'

/** Additions to a plain request through an HTTP proxy: the origin before the path, and credentials. */
export interface ProxiedOrigin {
  readonly prefix: string
  readonly headers: readonly string[]
}

/** Returns `undefined` for an invalid proxy URL; opening the connection then fails with the reason. */
export function proxiedOrigin(origin: string, proxyUrl: string): ProxiedOrigin | undefined {
  try {
    const { credentials } = parseProxy(proxyUrl)
    return { prefix: origin, headers: credentials === undefined ? [] : ['proxy-authorization', credentials] }
  } catch {
    return undefined
  }
}
