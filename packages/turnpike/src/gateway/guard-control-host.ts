/**
 * `control_api_hostname`: inspection and profiles are served on this host only. As in original gateways, the management
 * API itself responds on every host. Source: docs/reference/configuration.md#listening-and-management-keys.
 */
import { type GatewayResponse, type Handle, hasDotSegments, headerOf, hostName } from '@turnpike/core'
import { profilingRoot } from '@turnpike/mgmt-api'
import type { GatewayConfig } from '../config/config-shape.ts'

const boundPaths: ReadonlySet<string> = new Set(['/config', '/env'])

/** On other hosts these paths belong to the APIs, or to nobody if the management API has a port of its own. */
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
