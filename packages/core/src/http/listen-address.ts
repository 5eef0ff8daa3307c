/**
 * TCP ports that APIs listen on, and their protocols. `ports_whitelist` of the configuration limits the ports.
 * Source: docs/reference/configuration.md#listening-and-management-keys.
 */

/** `h2c` is HTTP/1.1 and HTTP/2 with prior knowledge; `tcp` and `tls` forward bytes without parsing them. */
export type ListenProtocol = 'http' | 'https' | 'h2c' | 'tcp' | 'tls'

export const listenProtocols: readonly ListenProtocol[] = ['http', 'https', 'h2c', 'tcp', 'tls']

/** Allowed ports of one protocol. Ranges include both ends. */
export interface PortList {
  readonly ranges: readonly { readonly from: number; readonly to: number }[]
  readonly ports: readonly number[]
}

/** Which TCP ports the gateway uses itself and which ones its APIs may use. */
export interface PortRules {
  /** The gateway's port. An API that names it is served as if it named none. */
  readonly own: number
  /** The separate port of the management API; 0: it has none. */
  readonly control: number
  /** Whether the gateway's ports use TLS. */
  readonly secure: boolean
  /** Allowed ports by protocol in lower case; `undefined`: all ports are allowed. */
  readonly whitelist: ReadonlyMap<string, PortList> | undefined
}

/** Allows every port; for gateways without sockets. */
export const anyPort: PortRules = { own: 0, control: 0, secure: false, whitelist: undefined }

/** Where an API listens. */
export interface ListenAddress {
  /** 0: the gateway's port, and the value of internal APIs, which clients cannot reach. */
  readonly port: number
  /** The protocol on the API's own port; without one, the gateway's protocol. */
  readonly protocol: ListenProtocol
}

/** Whether the gateway forwards bytes without parsing them, so paths and keys have no meaning. */
export function isStream({ protocol }: Pick<ListenAddress, 'protocol'>): boolean {
  return protocol === 'tcp' || protocol === 'tls'
}

/** Whether the list allows an API to listen on this port. */
export function isAllowed(port: number, protocol: ListenProtocol, whitelist: PortRules['whitelist']): boolean {
  if (whitelist === undefined) return true
  const list = whitelist.get(protocol)
  if (list === undefined) return false
  return list.ports.includes(port) || list.ranges.some(({ from, to }) => from <= port && port <= to)
}
