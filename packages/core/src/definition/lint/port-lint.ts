/** Checks TCP ports, their protocols, and settings without effect on APIs that forward bytes. */

import { anyPort, isStream, listenProtocols } from '../../http/listen-address.ts'
import { nearestName } from '../../lib/shape/nearest-name.ts'
import { authModesOf } from '../auth-modes/auth-modes.ts'
import { findPortProblem, listensOn } from '../listen-port.ts'
import type { Lint } from './lint.ts'

export const portLint: Lint = (document, report, { ports = anyPort }) => {
  const { protocol: written, listenPort } = document
  const problem = findPortProblem(document, ports)
  if (problem !== undefined) {
    report('port-not-served', problem.path, { problem: problem.message })
    return
  }
  const { port, protocol } = listensOn(document, ports)
  const name = written.trim().toLowerCase()
  if (document.internal && listenPort > 0) {
    report('internal-api-port', ['listen_port'])
  } else if (port === 0 && name !== '' && !(listenProtocols as readonly string[]).includes(name)) {
    const near = nearestName(name, listenProtocols)
    report('unknown-protocol', ['protocol'], { known: listenProtocols.join(', ') }, near)
  } else if (port === 0 && name !== '' && name !== 'http' && name !== (ports.secure ? 'https' : 'http')) {
    report('protocol-without-port', ['protocol'])
  }
  if (isStream({ protocol }) && authModesOf(document).length > 0) {
    report('stream-without-keys', ['protocol'])
  }
}
