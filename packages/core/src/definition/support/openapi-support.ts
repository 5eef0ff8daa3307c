/**
 * Support status of the fields of the extension in OpenAPI documents. A field includes its members.
 * docs/reference/support.md is generated from it.
 */
import { isOn, listOf } from '../../lib/json.ts'
import { unknownMembers } from '../../lib/shape/unknown-members.ts'
import { extensionShape } from '../openapi/extension-shape/extension-shape.ts'
import {
  makeSupportTable,
  refused,
  type SupportTable,
  stored,
  type Unsupported,
  unknownFields,
  unsupportedRows,
} from './support.ts'

export const extensionSupport: SupportTable = makeSupportTable(
  {
    '': 'errorOverrides',
    info: 'id orgId name state expiration versioning',
    server: `
      listenPath authentication ipAccessControl batchProcessing customDomain detailedActivityLogs detailedTracing eventHandlers
      clientCertificates port protocol
    `,
    upstream: `
      url loadBalancing rateLimit preserveHostHeader preserveTrailingSlash uptimeTests mutualTLS certificatePinning
      tlsTransport proxy serviceDiscovery authentication
    `,
    middleware: 'mcpTools mcpResources mcpPrompts stages',
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
    'info.dbId': stored(),
    'server.gatewayTags': stored('remove it; gateways are not segmented by tags'),
    'middleware.operations.*.postPlugins': refused(
      'plugins of one operation cannot run; requests to the operation are rejected',
      {
        isUsedBy: (plugins) => listOf(plugins).some(isOn),
        instead: 'use virtualEndpoint, or the plugins of middleware.global',
      },
    ),
  },
)

/** For extensions as written. */
export const unsupportedInExtensions = unsupportedRows(extensionSupport, false)

/** Members that the gateway does not know, at any depth. Their names are case-sensitive. */
export function unknownInExtension(extension: unknown): readonly Unsupported[] {
  return unknownFields(unknownMembers(extensionShape.schema, extension))
}
