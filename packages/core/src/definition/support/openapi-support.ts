/**
 * Support status of the fields of the extension in OpenAPI documents. A field includes its members.
 * docs/reference/support.md is generated from it.
 */
import { isJson, isOn, listOf } from '../../lib/json.ts'
import type { JsonPath } from '../../lib/shape/shape.ts'
import { ignored, makeSupportTable, partly, refused, type SupportTable, unsupportedRows } from './support.ts'

export const extensionSupport: SupportTable = makeSupportTable(
  {
    '': 'errorOverrides',
    info: 'id orgId name state expiration versioning',
    server: `
      listenPath authentication ipAccessControl batchProcessing customDomain detailedActivityLogs eventHandlers
      clientCertificates port protocol
    `,
    upstream: `
      url loadBalancing rateLimit preserveHostHeader preserveTrailingSlash uptimeTests mutualTLS certificatePinning
      tlsTransport proxy serviceDiscovery authentication
    `,
    middleware: 'mcpTools mcpResources mcpPrompts',
    'middleware.global': `
      cors cache transformRequestHeaders transformResponseHeaders contextVariables trafficLogs ignoreCase
      requestSizeLimit skipRateLimit skipQuota skipQuotaReset pluginConfig prePlugins postAuthenticationPlugins
      postPlugins responsePlugins prePlugin postAuthenticationPlugin postPlugin responsePlugin
    `,
    'middleware.operations.*': `
      allow block ignoreAuthentication internal transformRequestMethod transformRequestBody transformResponseBody
      transformRequestHeaders transformResponseHeaders urlRewrite cache enforceTimeout requestSizeLimit circuitBreaker
      rateLimit trackEndpoint doNotTrackEndpoint validateRequest mockResponse virtualEndpoint
    `,
  },
  {
    'info.dbId': partly('is stored and returned'),
    'server.gatewayTags': partly('is stored and returned; gateways are not segmented by tags'),
    'server.detailedTracing': ignored('traces are not exported'),
    'middleware.operations.*.postPlugins': refused(
      'plugins of one operation cannot run; requests to the operation are rejected',
      { isUsedBy: (plugins) => listOf(plugins).some(isOn) },
    ),
  },
)

/** For extensions as written. */
export const unsupportedInExtensions = unsupportedRows(extensionSupport, false)

/** Paths of members that the table does not list. */
export function unknownInExtension(extension: unknown): readonly JsonPath[] {
  const unknown: JsonPath[] = []
  visit(extension, '', [], unknown)
  return unknown
}

const groups: ReadonlySet<string> = new Set(
  [...extensionSupport.keys()].flatMap((path) => {
    const names = path.split('.')
    return names.map((_, i) => names.slice(0, i).join('.'))
  }),
)

function visit(value: unknown, above: string, path: JsonPath, unknown: JsonPath[]): void {
  if (!isJson(value)) return
  for (const [name, member] of Object.entries(value)) {
    const any = join(above, '*')
    const own = groups.has(any) ? any : join(above, name)
    if (extensionSupport.has(own)) continue
    if (groups.has(own)) visit(member, own, [...path, name], unknown)
    else unknown.push([...path, name])
  }
}

function join(above: string, name: string): string {
  return above === '' ? name : `${above}.${name}`
}
