/**
 * Listening ports and the protocols spoken on them. The configuration decides which ports APIs may open
 * (`ports_whitelist`).
 */

/** `h2c` is HTTP/2 by prior knowledge beside HTTP/1.1; `tcp` and `tls` pass bytes on as they are. */
export type ListenProtocol = 'http' | 'https' | 'h2c' | 'tcp' | 'tls'

export const listenProtocols: readonly ListenProtocol[] = ['http', 'https', 'h2c', 'tcp', 'tls']

/** Ports of one protocol; both ends of a range belong to it. */
export interface PortList {
  readonly ranges: readonly { readonly from: number; readonly to: number }[]
  readonly ports: readonly number[]
}

/** What a gateway lets its APIs listen on. */
export interface PortRules {
  /** The gateway's port: an API that names it is served as if it named none. */
  readonly own: number
  /** Of the management API, where it has one of its own; 0: it has not. */
  readonly control: number
  /** Whether the gateway's ports speak TLS. */
  readonly secure: boolean
  /** By protocol, in lower case. `undefined`: every port is allowed. */
  readonly whitelist: ReadonlyMap<string, PortList> | undefined
}

/** Rules of a gateway that has no sockets to protect. */
export const anyPort: PortRules = { own: 0, control: 0, secure: false, whitelist: undefined }

export interface Listens {
  /** 0: the gateway's. Internal APIs have no port: nothing comes to them from outside. */
  readonly port: number
  /** Spoken on a port of its own; without one, what the gateway speaks. */
  readonly protocol: ListenProtocol
}

/** Whether bytes pass as they are: nothing of HTTP is looked at, neither paths nor keys. */
export function isStream({ protocol }: Pick<Listens, 'protocol'>): boolean {
  return protocol === 'tcp' || protocol === 'tls'
}

/** Whether a list lets an API listen there. */
export function isAllowed(port: number, protocol: ListenProtocol, whitelist: PortRules['whitelist']): boolean {
  if (whitelist === undefined) return true
  const list = whitelist.get(protocol)
  if (list === undefined) return false
  return list.ports.includes(port) || list.ranges.some(({ from, to }) => from <= port && port <= to)
}
