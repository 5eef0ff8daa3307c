/** Checks TCP ports, their protocols, and settings without effect on APIs that forward bytes. */

import { anyPort, isStream, listenProtocols } from '../../http/listen-address.ts'
import { nearestName } from '../../lib/shape/nearest-name.ts'
import { authModesOf } from '../auth-modes/auth-modes.ts'
import { findPortProblem, listensOn } from '../listen-port.ts'
import type { Lint } from './finding.ts'

export const portLint: Lint = (document, report, { ports = anyPort }) => {
  const { protocol: written, listenPort } = document
  const problem = findPortProblem(document, ports)
  if (problem !== undefined) {
    report('error', problem.path, problem.message)
    return
  }
  const { port, protocol } = listensOn(document, ports)
  const name = written.trim().toLowerCase()
  if (document.internal && listenPort > 0) {
    report('warning', ['listen_port'], 'has no effect: the API is internal, so clients cannot reach it')
  } else if (port === 0 && name !== '' && !(listenProtocols as readonly string[]).includes(name)) {
    const near = nearestName(name, listenProtocols)
    report('warning', ['protocol'], `is not one of ${listenProtocols.join(', ')} and is ignored`, near)
  } else if (port === 0 && name !== '' && name !== 'http' && name !== (ports.secure ? 'https' : 'http')) {
    report('warning', ['protocol'], 'has no effect without listen_port: the port of the gateway has its own protocol')
  }
  if (isStream({ protocol }) && authModesOf(document).length > 0) {
    const message = 'forwards bytes without checking keys; set use_keyless, and limit the clients with allowed_ips'
    report('warning', ['protocol'], message)
  }
}
