/**
 * `security.control_api_use_mutual_tls`: rejects management calls without a client certificate of
 * `security.certificates.control_api`, before the management key is checked. Probes need no certificate. The errors
 * are those of APIs with mutual TLS. Source: docs/reference/configuration.md#security-keys.
 */
import {
  admitCertificate,
  type Certificates,
  type Clock,
  type GatewayResponse,
  type Handle,
  when,
} from '@turnpike/core'
import { statusBody } from '@turnpike/mgmt-api'
import type { GatewayConfig } from '../config/config-shape.ts'
import { toManagementOptions } from './wire-management.ts'

export function guardControl(
  handle: Handle,
  config: GatewayConfig,
  certificates: Certificates,
  clock: Pick<Clock, 'now'>,
): Handle {
  const { security } = config
  if (!security.controlApiUseMutualTls) return handle
  const names = security.certificates.controlApi ?? []
  const { livenessName, readinessName } = toManagementOptions(config)
  const open = new Set([`/${livenessName}`, `/${readinessName}`])
  return (request) => {
    if (open.has(request.path)) return handle(request)
    return when(admitCertificate(request, names, certificates, clock.now()), (refusal) =>
      refusal === undefined ? handle(request) : refused(refusal.message),
    )
  }
}

function refused(message: string): GatewayResponse {
  return {
    status: 403,
    headers: ['content-type', 'application/json'],
    body: statusBody('error', message),
  }
}
