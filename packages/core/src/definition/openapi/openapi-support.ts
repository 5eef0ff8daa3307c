/**
 * Support status of the fields of the extension in OpenAPI documents. A row includes the members of its field.
 * docs/reference/support.md is generated from it.
 */
import { isOn, type Json, listOf, objectOf } from '../../lib/json.ts'
import { unknownMembers } from '../../lib/shape/unknown-members.ts'
import { vendorForms } from '../../lib/vendor.ts'
import type { Unsupported } from '../api-definition.ts'
import {
  findUnsupported,
  ignored,
  rejected,
  type SupportTable,
  shortPeriodRows,
  stored,
  type UnsupportedRows,
  unknownFields,
  unsupportedRows,
} from '../support-status/support.ts'
import { extensionName, extensionOf } from './extension.ts'
import { extensionShape } from './extension-shape/extension-shape.ts'

const bodiesAreText = stored('remove it; scripts always get the body as text')
const membersAreDropped = ignored('members of token responses are not kept')
const testsAreConfigured = ignored('all uptime tests have the settings of the configuration', {
  instead: 'set uptime_tests.config in the configuration of the gateway',
})

/** Plugins of one operation, or of one tool, resource or prompt. */
const plugins = (what: string) =>
  rejected(`plugins of one ${what} cannot run; requests to the ${what} are rejected`, {
    isUsedBy: (entries) => listOf(entries).some(isOn),
    instead: `${what === 'operation' ? 'use virtualEndpoint, or' : 'use'} the plugins of middleware.global`,
  })

export const extensionSupport: SupportTable = new Map(
  Object.entries({
    'info.dbId': stored(),
    'server.eventHandlers.id': stored(),
    'server.eventHandlers.name': stored(),
    'server.authentication.custom.config.rawBodyOnly': bodiesAreText,
    'server.authentication.custom.config.idExtractor': ignored(
      'belongs to plugins in other languages, which are not supported',
      { isUsedBy: isOn, instead: 'remove it, and let the script return the session' },
    ),
    'upstream.uptimeTests.hostDownRetestPeriod': testsAreConfigured,
    'upstream.uptimeTests.logRetentionPeriod': testsAreConfigured,
    'upstream.uptimeTests.tests.commands': ignored('tests of TCP connections cannot run', {
      instead: 'test an HTTP path, and remove it',
    }),
    'upstream.uptimeTests.tests.enableProxyProtocol': ignored('the PROXY protocol is not sent'),
    'upstream.authentication.oauth.clientCredentials.extraMetadata': membersAreDropped,
    'upstream.authentication.oauth.password.extraMetadata': membersAreDropped,
    'middleware.global.cors.debug': ignored('decisions are not logged', {
      instead: 'use turnpike explain, and remove it',
    }),
    ...Object.fromEntries(
      ['pre', 'postAuthentication', 'post', 'response'].flatMap((stage) => [
        [`middleware.global.${stage}Plugins.rawBodyOnly`, bodiesAreText],
        [`middleware.global.${stage}Plugin.plugins.rawBodyOnly`, bodiesAreText],
      ]),
    ),
    'server.gatewayTags': stored('remove it; gateways are not segmented by tags'),
    ...Object.fromEntries(
      ['operations', 'mcpTools', 'mcpResources', 'mcpPrompts'].map((group) => [
        `middleware.${group}.*.postPlugins`,
        plugins(group === 'operations' ? 'operation' : 'primitive'),
      ]),
    ),
  }),
)

/** For extensions as written. */
const unsupportedInExtensions: UnsupportedRows = [
  ...unsupportedRows(extensionSupport, false),
  ...shortPeriodRows(['upstream.rateLimit.per', 'middleware.operations.*.rateLimit.per'], false),
]

/** Streams are declared beside the extension, in an extension of their own. */
const streaming: Omit<Unsupported, 'path'> = {
  ...{ status: 'ignored', reason: 'streams are not supported', changesRequests: true },
  instead: 'remove it, and serve the paths of its streams by the upstream',
}

/** Members of a document that the gateway does not know or support, at any depth. Names are case-sensitive. */
export function unknownInDocument(document: Json, vendor: string): readonly Unsupported[] {
  const own = extensionName(vendor)
  const unknown = unknownInExtension(document[own]).map((field) => ({ ...field, path: [own, ...field.path] }))
  const streams = `x-${vendorForms(vendor).lower}-streaming`
  if (Object.keys(objectOf(document[streams])).length === 0) return unknown
  return [{ ...streaming, path: [streams] }, ...unknown]
}

/** Fields of the extension of a document that have no effect, and members that the gateway does not know. */
export function ineffectiveInDocument(document: Json, vendor: string): readonly Unsupported[] {
  const own = extensionName(vendor)
  const fields = findUnsupported(unsupportedInExtensions, extensionOf(document, vendor))
  return [...fields.map((field) => ({ ...field, path: [own, ...field.path] })), ...unknownInDocument(document, vendor)]
}

/** Members that the gateway does not know, at any depth. */
export function unknownInExtension(extension: unknown): readonly Unsupported[] {
  return unknownFields(unknownMembers(extensionShape.schema, extension))
}
