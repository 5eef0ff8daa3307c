/**
 * Where an API listens: on the gateway's port, or on one of its own, and what is spoken there. The gateway decides which
 * ports may be opened. Source: spec/apis-and-pipeline.md 2 (`listen_port`, `protocol`), spec/config-and-ops.md 2.1
 * (`ports_whitelist`).
 */
import type { ClassicDefinition } from './classic.ts'
import type { Unserveable } from './unserveable.ts'

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

/** Where the API listens; to be believed only where `findPortProblem` finds nothing. */
export function listensOn(document: ClassicDefinition, rules: PortRules): Listens {
  const { listenPort, internal } = document
  const port = internal || listenPort === rules.own ? 0 : listenPort
  return { port, protocol: wordOf(document) ?? (rules.secure ? 'https' : 'http') }
}

/** Whether bytes pass as they are: nothing of HTTP is looked at, neither paths nor keys. */
export function isStream({ protocol }: Pick<Listens, 'protocol'>): boolean {
  return protocol === 'tcp' || protocol === 'tls'
}

/** Whether the document asks for that, wherever it listens. */
export function asksForStream(document: ClassicDefinition): boolean {
  const protocol = wordOf(document)
  return protocol !== undefined && isStream({ protocol })
}

/** Why the API cannot listen where it says; the message names the way out. */
export function findPortProblem(document: ClassicDefinition, rules: PortRules): Unserveable | undefined {
  const { listenPort, internal } = document
  const atPort = (message: string): Unserveable => ({ path: ['listen_port'], message })
  const atProtocol = (message: string): Unserveable => ({ path: ['protocol'], message })
  if (listenPort < 0 || listenPort > 65_535) return atPort(`is ${listenPort}, which is no port; ports are 1 to 65535`)
  if (internal) return undefined
  const { port, protocol } = listensOn(document, rules)
  if (port === 0) {
    if (!asksForStream(document)) return undefined
    return listenPort === 0
      ? atProtocol(`is "${protocol}", which needs a port of its own; set listen_port`)
      : atPort(`is the gateway's own port, which cannot pass bytes on by "${protocol}"; choose another`)
  }
  if (document.protocol.trim() !== '' && wordOf(document) === undefined) {
    return atProtocol(`is "${document.protocol}", which no port can speak; use ${listenProtocols.join(', ')}`)
  }
  if (port === rules.control) {
    const spoken = rules.secure ? 'https' : 'http'
    if (protocol === spoken) return undefined
    return atPort(`is the port of the management API, which speaks ${spoken}, not ${protocol}; choose another`)
  }
  if (isAllowed(port, protocol, rules.whitelist)) return undefined
  return atPort(
    `is ${port}, which the gateway does not allow for ${protocol}; ` +
      `add it to ports_whitelist.${protocol} of its configuration, or set disable_ports_whitelist`,
  )
}

/** Whether a list lets an API listen there. */
export function isAllowed(port: number, protocol: ListenProtocol, whitelist: PortRules['whitelist']): boolean {
  if (whitelist === undefined) return true
  const list = whitelist.get(protocol)
  if (list === undefined) return false
  return list.ports.includes(port) || list.ranges.some(({ from, to }) => from <= port && port <= to)
}

/** The protocol that is written, in any case; `undefined`: none, or one that nobody knows. */
function wordOf({ protocol }: ClassicDefinition): ListenProtocol | undefined {
  const word = protocol.trim().toLowerCase()
  return listenProtocols.find((known) => known === word)
}
