/** Ports of an API's own, what is spoken there, and what has no meaning where bytes pass as they are. */

import { anyPort, isStream, listenProtocols } from '../../http/listening.ts'
import { nearestName } from '../../lib/shape/nearest-name.ts'
import { authModesOf } from '../auth-modes/auth-modes.ts'
import type { ClassicDefinition } from '../classic.ts'
import { findPortProblem, listensOn } from '../listen-port.ts'
import type { Lint, Report } from './finding.ts'

export const portLint: Lint = (document, report, { ports = anyPort }) => {
  const { protocol: written, listenPort } = document
  const problem = findPortProblem(document, ports)
  if (problem !== undefined) {
    report('error', problem.path, problem.message)
    return
  }
  const { port, protocol } = listensOn(document, ports)
  const word = written.trim().toLowerCase()
  if (document.internal && listenPort > 0) {
    report('warning', ['listen_port'], 'is not opened: the API is internal, and nothing comes to it from outside')
  } else if (port === 0 && word !== '' && !(listenProtocols as readonly string[]).includes(word)) {
    const near = nearestName(word, listenProtocols)
    report('warning', ['protocol'], `is not one of ${listenProtocols.join(', ')} and is passed over`, near)
  } else if (port === 0 && word !== '' && word !== 'http' && word !== (ports.secure ? 'https' : 'http')) {
    report('warning', ['protocol'], 'has no effect without a listen_port of its own: the gateway speaks what it speaks')
  }
  if (isStream({ protocol })) lintStream(document, report)
}

/** Of a definition for HTTP much would stay behind without a word. */
function lintStream(document: ClassicDefinition, report: Report): void {
  if (authModesOf(document).length > 0) {
    report(
      'warning',
      ['protocol'],
      'passes bytes on as they are: no key is asked for; say so by use_keyless, and bound who may come by allowed_ips',
    )
  }
}
