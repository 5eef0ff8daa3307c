/**
 * The findings of `turnpike check` in an OpenAPI document: what the management API would reject, rules without an
 * operation, and members of the extension that the gateway does not read.
 * Source: docs/reference/openapi-extension.md.
 */
import { isJson, type Json, memberOf, objectOf } from '../../lib/json.ts'
import { locateJson } from '../../lib/shape/locate-json.ts'
import { type JsonPath, nearestName } from '../../lib/shape/shape.ts'
import type { Finding, Report } from '../lint/finding.ts'
import { parseJson } from '../parse-definition.ts'
import { extensionName, extensionOf } from './extension.ts'
import { operationsOf } from './operations.ts'
import { ruleParts } from './to-classic/path-lists.ts'
import { validateDocument } from './validate-document.ts'

/** Members of the extension that the gateway reads, by the path of their object. */
const knownMembers: readonly (readonly [path: readonly string[], names: readonly string[]])[] = [
  [[], ['info', 'server', 'upstream', 'middleware', 'errorOverrides']],
  [['info'], ['id', 'orgId', 'name', 'expiration', 'state', 'versioning']],
  [
    ['server'],
    [
      ...['listenPath', 'authentication', 'ipAccessControl', 'batchProcessing', 'customDomain', 'gatewayTags'],
      ...['detailedActivityLogs', 'detailedTracing', 'eventHandlers', 'clientCertificates', 'port', 'protocol'],
    ],
  ],
  [
    ['server', 'authentication'],
    [
      ...['enabled', 'stripAuthorizationData', 'baseIdentityProvider', 'securitySchemes', 'securityProcessingMode'],
      ...['security', 'protectedResourceMetadata', 'hmac', 'oidc', 'custom'],
    ],
  ],
  [
    ['upstream'],
    [
      ...['url', 'loadBalancing', 'rateLimit', 'preserveHostHeader', 'preserveTrailingSlash', 'uptimeTests'],
      ...['serviceDiscovery', 'mutualTLS', 'certificatePinning', 'authentication', 'tlsTransport', 'proxy'],
    ],
  ],
  [['middleware'], ['global', 'operations', 'mcpTools', 'mcpResources', 'mcpPrompts']],
  [
    ['middleware', 'global'],
    [
      ...['cors', 'cache', 'transformRequestHeaders', 'transformResponseHeaders', 'contextVariables', 'trafficLogs'],
      ...['ignoreCase', 'requestSizeLimit', 'skipRateLimit', 'skipQuota', 'skipQuotaReset', 'pluginConfig'],
      ...['prePlugin', 'prePlugins', 'postAuthenticationPlugin', 'postAuthenticationPlugins'],
      ...['postPlugin', 'postPlugins', 'responsePlugin', 'responsePlugins'],
    ],
  ],
]

/** Members of an operation's middleware that the gateway reads. */
const operationParts: readonly string[] = [...Object.keys(ruleParts), 'validateRequest', 'mockResponse']

/** All findings of a document, in the order of their places in the text. */
export async function lintOpenApiDocument(text: string, vendor: string): Promise<readonly Finding[]> {
  const parsed = parseJson(text)
  // The definition of the document already reports why it cannot be read.
  if (parsed.problem !== undefined || !isJson(parsed.value)) return []
  const findings: Finding[] = []
  const report: Report = (severity, path, message, suggestion) => {
    const found = { severity, path, message, ...locateJson(text, path) }
    findings.push(suggestion === undefined ? found : { ...found, suggestion })
  }
  const invalid = await validateDocument(parsed.value, vendor)
  if (invalid !== undefined) report('warning', [], `is served, but the management API would reject it: ${invalid}`)
  lintMembers(objectOf(extensionOf(parsed.value, vendor)), extensionName(vendor), report)
  lintOperations(parsed.value, vendor, report)
  return findings.sort((a, b) => a.line - b.line || a.column - b.column)
}

function lintMembers(extension: Json, key: string, report: Report): void {
  for (const [path, names] of knownMembers) {
    reportUnknown(objectOf(memberOf(extension, ...path)), names, [key, ...path], report)
  }
}

function lintOperations(document: Json, vendor: string, report: Report): void {
  const operations = objectOf(memberOf(extensionOf(document, vendor), 'middleware', 'operations'))
  const ids = operationsOf(document).map(({ id }) => id)
  for (const [id, parts] of Object.entries(operations)) {
    const path = [extensionName(vendor), 'middleware', 'operations', id]
    if (ids.includes(id)) reportUnknown(objectOf(parts), operationParts, path, report)
    else
      report('warning', path, 'has no effect: no operation of the document has this operationId', nearestName(id, ids))
  }
}

function reportUnknown(given: Json, known: readonly string[], path: JsonPath, report: Report): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue
    report('warning', [...path, name], 'is not a known field and is ignored', nearestName(name, known))
  }
}
