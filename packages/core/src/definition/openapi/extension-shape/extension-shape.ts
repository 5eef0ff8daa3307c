/**
 * The extension of an OpenAPI document: every member with type and description. The conversion in `to-classic/` reads the
 * document itself; this shape is the source of the JSON Schema, of the TypeScript types and of the check for unknown
 * members. Source: docs/reference/openapi-extension.md.
 */
import { boolean, described, camelObject as group, integer, list, map, text } from '../../../lib/shape/shape.ts'
import { overrideMatch, overrideResponse } from '../../error-overrides-shape.ts'
import { authenticationShape } from './authentication-shape.ts'
import { middlewareShape } from './middleware-shape.ts'
import { duration, enabled, headersShape, switchShape, words } from './shared-members.ts'
import { upstreamShape } from './upstream-shape.ts'

const versioningShape = group({
  enabled,
  name: described('Version name of this API.', text),
  default: described('Version of requests that name none; self is this API.', text),
  location: described(
    'Where a request names its version: header, url-param or url.',
    words('', 'header', 'url-param', 'url'),
  ),
  key: described('Name of the header or of the parameter.', text),
  versions: described(
    'The other versions.',
    list(
      group({
        name: described('Name of the version.', text),
        id: described('Id of the API that is the version.', text),
      }),
    ),
  ),
  stripVersioningData: described('Removes the version from the request.', boolean),
  urlVersioningPattern: described(
    'Regular expression; only a segment that matches is removed from the URL. Default: any.',
    text,
  ),
  fallbackToDefault: described('An unknown version is served by the default.', boolean),
})

const infoShape = group({
  id: described('Id of the API. Default: generated.', text),
  dbId: text,
  orgId: described('Organisation.', text),
  name: described('Display name.', text),
  expiration: described('Moment after which the API is rejected: 2006-01-02 15:04 in UTC.', text),
  state: group({
    active: described('Served either way, unless `honour_active` is set in the configuration.', boolean),
    internal: described('Only loops inside the gateway reach the API.', boolean),
  }),
  versioning: described('Versions of the API.', versioningShape),
})

const handlerShape = group({
  enabled,
  trigger: described('The event.', text),
  type: described('webhook, custom or log.', words('webhook', 'custom', 'log')),
  id: described('Id of the web hook; only returned.', text),
  name: described('Name of the web hook; only returned.', text),
  url: described('webhook: the http or https URL that is called.', text),
  method: described('webhook: the method. Default: GET.', text),
  headers: described('webhook: headers of the request.', headersShape),
  bodyTemplate: described('webhook: file of the template of the body. Default: a JSON object.', text),
  coolDownPeriod: described('A duration such as 1m.', duration),
  functionName: described('custom: the name of the object that the file defines.', text),
  path: described('custom: the file of the script.', text),
  logPrefix: described('log: the text before the message.', text),
})

const tcpPort: typeof integer = { ...integer, schema: { type: 'integer', minimum: 1, maximum: 65_535 } }

const serverShape = group({
  listenPath: described(
    'The path prefix of the API.',
    group({
      value: described('Such as /orders/.', text),
      strip: described('Removes the prefix from the path that the upstream receives.', boolean),
    }),
  ),
  authentication: described('Methods of authentication. Without it the API is open to everyone.', authenticationShape),
  ipAccessControl: described(
    'Addresses of clients.',
    group({
      enabled,
      allow: described('Addresses and networks that are accepted.', list(text)),
      block: described('Addresses and networks that are rejected.', list(text)),
    }),
  ),
  batchProcessing: described('Accepts batch requests.', switchShape),
  customDomain: described(
    'Serves the API under one host name.',
    group({ enabled, name: described('The host name.', text) }),
  ),
  gatewayTags: group({ enabled, tags: list(text) }),
  detailedActivityLogs: described('Analytics records contain requests and responses.', switchShape),
  detailedTracing: switchShape,
  eventHandlers: described('Web hooks, scripts and log lines by event.', list(handlerShape)),
  clientCertificates: described(
    'Mutual TLS.',
    group({ enabled, allowlist: described('Ids of the client certificates that are accepted.', list(text)) }),
  ),
  port: described('A TCP port of its own.', tcpPort),
  protocol: described('http, https, h2c, tcp or tls.', words('', 'http', 'https', 'h2c', 'tcp', 'tls')),
})

const errorOverridesShape = group({
  enabled,
  value: described(
    'Rules by status (401) or class (4xx).',
    map(
      described(
        'Rules for a status (401) or a class of statuses (4xx); the first that matches counts.',
        list(group({ match: group(overrideMatch), response: group(overrideResponse) })),
      ),
    ),
  ),
})

export const extensionShape = group({
  info: described('Name, ids, state and versions of the API.', infoShape),
  server: described('How clients reach the API.', serverShape),
  upstream: described('What the gateway calls.', upstreamShape),
  middleware: described('What happens on the way.', middlewareShape),
  errorOverrides: described('Replaces error responses.', errorOverridesShape),
})
