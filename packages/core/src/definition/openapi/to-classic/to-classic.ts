/**
 * Converts an OpenAPI document with its extension to a classic definition. Settings without a classic equivalent
 * (request validation, mock responses from examples, token claims) stay in the document, where stages read them. A
 * management call, an import, `check` and `turnpike start DOCUMENT` convert; a gateway that serves a folder reads the
 * stored classic definition. Source: docs/reference/openapi-extension.md.
 */

import { isJson, isOn, type Json, listOf, memberOf, objectOf, textOf } from '../../../lib/json.ts'
import { printJsonPath } from '../../../lib/shape/json-path.ts'
import type { ClassicDefinition } from '../../classic.ts'
import { readClassic } from '../../read-classic.ts'
import { authenticationFields } from './authentication.ts'
import { eventHandlersOf } from './event-handlers.ts'
import { globalFields, versionOfGlobals } from './globals.ts'
import { extendedPathsOf } from './path-lists.ts'
import { pluginFields } from './plugins.ts'
import { errorOverrideFields } from './to-error-overrides.ts'
import { proxyFields, upstreamFields } from './to-upstream.ts'

export type ToClassic =
  | { readonly value: ClassicDefinition; readonly problem: undefined }
  | { readonly problem: string }

/** Converts a document. `problem`: a member of the extension has an invalid type. */
export function toClassic(document: Json, extension: Json): ToClassic {
  return readClassicFields(classicFields(document, extension))
}

/** Reads the fields of a classic definition in their wire format. */
export function readClassicFields(fields: Json): ToClassic {
  const read = readClassic(fields)
  if (read.problem === undefined) return read
  return { problem: `${printJsonPath(read.problem.path)} ${read.problem.message}` }
}

/** The fields of the classic definition in their wire format. */
export function classicFields(document: Json, extension: Json): Json {
  const info = objectOf(extension['info'])
  const server = objectOf(extension['server'])
  const global = objectOf(memberOf(extension, 'middleware', 'global'))
  return {
    api_id: info['id'],
    org_id: info['orgId'],
    name: info['name'],
    active: memberOf(info, 'state', 'active'),
    internal: memberOf(info, 'state', 'internal'),
    expiration: info['expiration'],
    definition: versioningOf(info['versioning']),
    is_oas: true,
    ...serverFields(server),
    ...authenticationFields(document, server['authentication']),
    ...upstreamFields(objectOf(extension['upstream'])),
    proxy: proxyFields(extension),
    ...errorOverrideFields(extension['errorOverrides']),
    ...globalFields(global),
    ...pluginFields(global, server['authentication']),
    version_data: {
      not_versioned: true,
      default_version: 'Default',
      versions: {
        Default: {
          name: 'Default',
          use_extended_paths: true,
          extended_paths: extendedPathsOf(document, objectOf(memberOf(extension, 'middleware', 'operations'))),
          ...versionOfGlobals(global),
        },
      },
    },
  }
}

function versioningOf(versioning: unknown): unknown {
  if (!isJson(versioning)) return undefined
  const versions = listOf(versioning['versions']).map((entry): [string, unknown] => [
    textOf(memberOf(entry, 'name')),
    memberOf(entry, 'id'),
  ])
  return {
    enabled: versioning['enabled'],
    name: versioning['name'],
    default: versioning['default'],
    location: versioning['location'],
    key: versioning['key'],
    versions: Object.fromEntries(versions),
    strip_versioning_data: versioning['stripVersioningData'],
    url_versioning_pattern: versioning['urlVersioningPattern'],
    fallback_to_default: versioning['fallbackToDefault'],
  }
}

function serverFields(server: Json): Json {
  const access = objectOf(server['ipAccessControl'])
  const domain = server['customDomain']
  const tags = server['gatewayTags']
  const certificates = server['clientCertificates']
  return {
    ip_access_control_disabled: !isOn(access),
    enable_ip_whitelisting: isOn(access) && listOf(access['allow']).length > 0,
    allowed_ips: access['allow'],
    enable_ip_blacklisting: isOn(access) && listOf(access['block']).length > 0,
    blacklisted_ips: access['block'],
    enable_batch_request_support: isOn(server['batchProcessing']),
    domain: memberOf(domain, 'name'),
    domain_disabled: domain !== undefined && !isOn(domain),
    tags: memberOf(tags, 'tags'),
    tags_disabled: tags !== undefined && !isOn(tags),
    enable_detailed_recording: isOn(server['detailedActivityLogs']),
    detailed_tracing: isOn(server['detailedTracing']),
    use_mutual_tls_auth: isOn(certificates),
    client_certificates: memberOf(certificates, 'allowlist'),
    listen_port: server['port'],
    protocol: server['protocol'],
    event_handlers: { events: eventHandlersOf(server['eventHandlers']) },
  }
}
