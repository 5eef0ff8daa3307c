/**
 * The TCP port and protocol of an API: the gateway's port, or one of its own that the gateway allows.
 * Source: docs/reference/api-definition.md#identity-fields, docs/reference/configuration.md#listening-and-management-keys.
 */
import {
  isAllowed,
  isStream,
  type ListenAddress,
  type ListenProtocol,
  listenProtocols,
  type PortRules,
} from '../http/listen-address.ts'
import type { ClassicDefinition } from './classic.ts'
import type { ServingProblem } from './definition-problem.ts'

/** Where the API listens. The result is valid only if `findPortProblem` finds nothing. */
export function listensOn(document: ClassicDefinition, rules: PortRules): ListenAddress {
  const { listenPort, internal } = document
  const port = internal || listenPort === rules.own ? 0 : listenPort
  return { port, protocol: protocolOf(document) ?? (rules.secure ? 'https' : 'http') }
}

/** Whether the protocol of the document is `tcp` or `tls`, on any port. */
export function isStreamApi(document: ClassicDefinition): boolean {
  const protocol = protocolOf(document)
  return protocol !== undefined && isStream({ protocol })
}

/** Why the API cannot listen as it is defined; the message includes the fix. */
export function findPortProblem(document: ClassicDefinition, rules: PortRules): ServingProblem | undefined {
  const { listenPort, internal } = document
  const atPort = (message: string): ServingProblem => ({ path: ['listen_port'], message })
  const atProtocol = (message: string): ServingProblem => ({ path: ['protocol'], message })
  if (listenPort < 0 || listenPort > 65_535) return atPort(`is ${listenPort}, which is not a TCP port; use 1 to 65535`)
  if (internal) return undefined
  const { port, protocol } = listensOn(document, rules)
  if (port === 0) {
    if (!isStreamApi(document)) return undefined
    return listenPort === 0
      ? atProtocol(`is "${protocol}", which needs a port of its own; set listen_port`)
      : atPort(`is the gateway's own port, which cannot forward bytes by "${protocol}"; choose another`)
  }
  if (document.protocol.trim() !== '' && protocolOf(document) === undefined) {
    return atProtocol(`is "${document.protocol}", which is unknown; use ${listenProtocols.join(', ')}`)
  }
  if (port === rules.control) {
    const spoken = rules.secure ? 'https' : 'http'
    if (protocol === spoken) return undefined
    return atPort(`is the port of the management API, which uses ${spoken}, not ${protocol}; choose another`)
  }
  if (isAllowed(port, protocol, rules.whitelist)) return undefined
  return atPort(
    `is ${port}, which the gateway does not allow for ${protocol}; ` +
      `add it to ports_whitelist.${protocol} of its configuration, or set disable_ports_whitelist`,
  )
}

/** The protocol of the document; `undefined`: none, or an unknown one. */
function protocolOf({ protocol }: ClassicDefinition): ListenProtocol | undefined {
  const name = protocol.trim().toLowerCase()
  return listenProtocols.find((known) => known === name)
}
