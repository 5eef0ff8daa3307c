import { parseProxy } from './proxy-tunnel.ts'

/** What a plain request through an HTTP proxy carries beside its own: the origin before the path, and credentials. */
export interface ProxiedOrigin {
  readonly prefix: string
  readonly headers: readonly string[]
}

/** `undefined` for a proxy that cannot be used: the connection tells why. */
export function proxiedOrigin(origin: string, proxyUrl: string): ProxiedOrigin | undefined {
  try {
    const { credentials } = parseProxy(proxyUrl)
    return { prefix: origin, headers: credentials === undefined ? [] : ['proxy-authorization', credentials] }
  } catch {
    return undefined
  }
}
