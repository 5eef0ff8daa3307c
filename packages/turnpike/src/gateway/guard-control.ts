/**
 * Checks of management calls before the management key is checked.
 * Source: docs/reference/configuration.md#security-keys, docs/reference/configuration.md#listening-and-management-keys.
 */
import { type GatewayResponse, headerOf } from '@turnpike/core/http'
import { when } from '@turnpike/core/lib'
import { admitCertificate } from '@turnpike/core/pipeline'
import type { Certificates, Clock, Handle } from '@turnpike/core/ports'
import { hasDotSegments, hostName } from '@turnpike/core/route'
import { profilingRoot, statusBody } from '@turnpike/mgmt-api'
import type { GatewayConfig } from '../config/config-shape.ts'
import { toManagementOptions } from './create-management.ts'

/**
 * `security.control_api_use_mutual_tls`: rejects management calls without a client certificate of
 * `security.certificates.control_api`. Probes need no certificate. The errors are those of APIs with mutual TLS.
 */
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
    return when(admitCertificate(request, names, certificates, clock.now()), (rejection) =>
      rejection === undefined ? handle(request) : rejected(rejection.message),
    )
  }
}

function rejected(message: string): GatewayResponse {
  return {
    status: 403,
    headers: ['content-type', 'application/json'],
    body: statusBody('error', message),
  }
}

const boundPaths: ReadonlySet<string> = new Set(['/config', '/env'])

/**
 * `control_api_hostname`: inspection and profiles are served on this host only. On other hosts these paths belong to the
 * APIs, or to nobody if the management API has a port of its own. As in original gateways, the management API itself
 * responds on every host.
 */
export function guardControlHost(
  handle: Handle,
  { controlApiHostname, controlApiPort }: Pick<GatewayConfig, 'controlApiHostname' | 'controlApiPort'>,
  apis: Handle,
): Handle {
  if (controlApiHostname === '') return handle
  const wanted = controlApiHostname.toLowerCase()
  const elsewhere: Handle = controlApiPort === 0 ? apis : notFound
  return (request) => {
    const { path } = request
    // The management API resolves dot segments, so a path that has some can lead to one of these paths.
    const isBound = boundPaths.has(path) || path.startsWith(profilingRoot) || hasDotSegments(path)
    return isBound && hostName(headerOf(request.headers, 'host') ?? '') !== wanted
      ? elsewhere(request)
      : handle(request)
  }
}

function notFound(): GatewayResponse {
  return { status: 404, headers: ['content-type', 'text/plain; charset=utf-8'], body: '404 page not found\n' }
}
