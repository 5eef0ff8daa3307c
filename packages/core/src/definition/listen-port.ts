/**
 * Where an API listens: on the gateway's port, or on one of its own, and what is spoken there. The gateway decides which
 * ports may be opened. Source: spec/apis-and-pipeline.md 2 (`listen_port`, `protocol`), spec/config-and-ops.md 2.1
 * (`ports_whitelist`).
 */
import {
  isAllowed,
  isStream,
  type ListenAddress,
  type ListenProtocol,
  listenProtocols,
  type PortRules,
} from '../http/listening.ts'
import type { ClassicDefinition } from './classic.ts'
import type { ServingProblem } from './definition-problem.ts'

/** Where the API listens; to be believed only where `findPortProblem` finds nothing. */
export function listensOn(document: ClassicDefinition, rules: PortRules): ListenAddress {
  const { listenPort, internal } = document
  const port = internal || listenPort === rules.own ? 0 : listenPort
  return { port, protocol: wordOf(document) ?? (rules.secure ? 'https' : 'http') }
}

/** Whether the document asks for `tcp` or `tls`, on whichever port. */
export function asksForStream(document: ClassicDefinition): boolean {
  const protocol = wordOf(document)
  return protocol !== undefined && isStream({ protocol })
}

/** Why the API cannot listen where it says; the message names the way out. */
export function findPortProblem(document: ClassicDefinition, rules: PortRules): ServingProblem | undefined {
  const { listenPort, internal } = document
  const atPort = (message: string): ServingProblem => ({ path: ['listen_port'], message })
  const atProtocol = (message: string): ServingProblem => ({ path: ['protocol'], message })
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

/** The protocol that is written, in any case; `undefined`: none, or one that nobody knows. */
function wordOf({ protocol }: ClassicDefinition): ListenProtocol | undefined {
  const word = protocol.trim().toLowerCase()
  return listenProtocols.find((known) => known === word)
}
