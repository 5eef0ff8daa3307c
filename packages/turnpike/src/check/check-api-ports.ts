/** Checks the TCP ports of APIs for conflicts with each other and with other ports of the gateway. */
import { basename } from 'node:path'
import { findPortClashes } from '@turnpike/core/route'
import type { GatewayConfig } from '../config/config-shape.ts'
import type { Finding } from '../config/finding.ts'
import type { CheckedApi } from './checked-api.ts'
import { findingAt } from './finding-at.ts'

export function checkApiPorts(apis: readonly CheckedApi[], config: GatewayConfig): Finding[] {
  const taken = takenPorts(config)
  const named = apis.map(({ file, definition }) => ({ ...definition, source: basename(file) }))
  const clashes = findPortClashes(named, [])
  return apis.flatMap((api, i) => {
    const { port, protocol } = api.definition
    const clash = named[i] && clashes.get(named[i])
    const findings: Finding[] = []
    if (clash !== undefined) findings.push(findingAt(api, 'shared-port', ['listen_port'], { problem: clash }))
    const other = taken.get(port)
    if (port !== 0 && other !== undefined) {
      findings.push(findingAt(api, 'port-of-gateway', ['listen_port'], { port, key: other }))
    }
    if (port !== 0 && (protocol === 'https' || protocol === 'tls') && !hasCertificate(config)) {
      findings.push(findingAt(api, 'port-without-certificate', ['protocol'], { protocol }))
    }
    return findings
  })
}

function takenPorts({ dashboard, metrics, echo, listenPort }: GatewayConfig): ReadonlyMap<number, string> {
  const taken = new Map<number, string>()
  if (dashboard.enabled && dashboard.listenPort !== listenPort) taken.set(dashboard.listenPort, 'dashboard.listen_port')
  if (metrics.enabled) taken.set(metrics.listenPort, 'metrics.listen_port')
  if (echo.enabled && echo.listenPort !== 0) taken.set(echo.listenPort, 'echo.listen_port')
  return taken
}

function hasCertificate({ httpServerOptions }: GatewayConfig): boolean {
  const { certificates, sslCertificates } = httpServerOptions
  return (certificates?.length ?? 0) + (sslCertificates?.length ?? 0) > 0
}
