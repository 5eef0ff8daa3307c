/** Findings about listen paths, TCP ports, upstreams and versions. */
import { rulesOf } from '../finding-rule.ts'

const routing = rulesOf('reference/routing.md')
const ports = rulesOf('ports.md')
const upstreams = rulesOf('reference/upstreams.md')
const discovery = rulesOf('reference/service-discovery.md')
const signing = rulesOf('reference/request-signing.md')
const upstreamAuth = rulesOf('reference/upstream-authentication.md')
const versions = rulesOf('reference/versions.md')
const organisations = rulesOf('dashboard.md')
const definition = rulesOf('reference/api-definition.md')

export const routingRules = {
  'not-servable': routing.error(
    '<problem>',
    '',
    'The gateway cannot route to or from this API, and does not serve it.',
  ),
  'reserved-listen-path': routing.error('is reserved for the gateway itself', 'choose another listen path'),
  'listen-path-without-slash': routing.warning('should begin with a slash; the gateway adds one'),
  'shared-listen-path': routing.error(
    '"<path>" is wanted by <files> too; at a start each is moved to "<path>-ID"',
    'give each API a listen path of its own',
  ),
  'custom-domain-ignored': routing.warning(
    'has no effect: enable_custom_domains is off in the gateway configuration',
    'set enable_custom_domains, or remove it',
  ),
  'missing-api-id': definition.warning('should not be empty: keys and the management API refer to it', 'write an id'),
  'unsafe-api-id': definition.error('must be <rule>'),
  'shared-api-id': definition.error(
    '"<id>" is also used in <files>, so both share keys and counters',
    'give each API an id of its own',
  ),
  'file-of-another-api': definition.error(
    'is "<id>", but <id>.json defines the API "<other>", so this API cannot be changed',
    'rename <id>.json to <other>.json',
  ),
  'api-of-other-organisation': organisations.warning(
    '<reason>',
    'separate the organisations, or set dashboard.shared_paths',
    'The API takes part in an API of another organisation, so users of the dashboard cannot write it.',
  ),
  'inactive-api-served': definition.warning(
    'is false, but the API is served nevertheless',
    'remove the file, or set honour_active',
  ),

  'unused-target-list': upstreams.warning(
    'has no effect while enable_load_balancing is false',
    'set enable_load_balancing, or remove it',
  ),
  'empty-target': upstreams.warning(
    'is empty: only mocked and cached paths can respond',
    'write the URL of the upstream',
  ),
  'target-without-host': upstreams.error('has no scheme and host: every request would fail with 500'),
  'stream-target': upstreams.error(
    'has the scheme "<scheme>", which an HTTP API cannot use',
    'set protocol to "tcp" or "tls", with a listen_port of its own',
  ),
  'unsupported-scheme': upstreams.error(
    'has the scheme "<scheme>", which the gateway does not support',
    'use http or https',
  ),

  'port-not-served': ports.error(
    '<problem>',
    '',
    'The gateway cannot open the port of the API, and does not serve it.',
  ),
  'internal-api-port': ports.warning('has no effect: the API is internal, so clients cannot reach it', 'remove it'),
  'unknown-protocol': ports.warning('is not one of <known> and is ignored', 'remove it'),
  'protocol-without-port': ports.warning(
    'has no effect without listen_port: the port of the gateway has its own protocol',
    'set listen_port, or remove it',
  ),
  'stream-without-keys': ports.warning(
    'forwards bytes without checking keys',
    'set use_keyless, and limit the clients with allowed_ips',
  ),
  'shared-port': ports.error('<problem>', '', 'Two APIs want the same port in ways that exclude each other.'),
  'port-of-gateway': ports.error('is <port>, which the gateway opens for <key>', 'choose another'),
  'port-without-certificate': ports.error(
    'is "<protocol>", but the gateway has no certificate for it',
    'name one in http_server_options.certificates',
  ),

  'discovery-endpoint': discovery.error(
    'is not an http or https URL, so every request goes to target_url',
    'write the URL of the service',
  ),
  'discovery-path-missing': discovery.error('is empty, so no entry has a target and every request gets 500'),
  'discovery-parent-path-missing': discovery.error('is empty, but <option> needs the path of <what>'),
  'discovery-without-balancing': discovery.warning(
    'is off, so the first discovered target gets every request',
    'set it to true',
  ),
  'discovery-cache': discovery.warning(
    'does not turn the cache off: it replaces cache_timeout by service_discovery.default_cache_timeout of the configuration',
    'remove it, and set cache_timeout',
  ),
  'request-signing': signing.error(
    '<problem>, so every request gets 500',
    '',
    'Requests to the upstream cannot be signed.',
  ),
  'upstream-authentication': upstreamAuth.error(
    '<problem>; every request gets 500',
    '',
    'The gateway cannot prove itself to the upstream.',
  ),
  'signature-header-replaced': upstreamAuth.error('is <name>, which upstream_auth replaces', 'use another header'),

  'ambiguous-versions': versions.error(
    'has several of the versions "Default", "default" and "" although not_versioned is true: every request is rejected',
    'keep one of them',
  ),
  'no-version': versions.error(
    'has no version: every request is rejected with 403',
    'add one, {"Default": {"name": "Default"}}',
  ),
  'no-default-version': versions.error(
    'has several versions although not_versioned is true, and none is named Default: every request is rejected',
    'name one of them Default',
  ),
  'versioned-without-versions': versions.error(
    'is false and there are no versions: every request is rejected with 403',
    'set it to true',
  ),
  'unknown-default-version': versions.error('names a version that does not exist'),
  'unknown-version-location': versions.warning('must be header, url-param or url; the header is used instead'),
  'version-parameter-missing': versions.error('must name the query parameter that holds the version'),
  'unknown-default-api': versions.error('names neither this API nor one of its versions'),
  'version-of-itself': versions.error('refers to this API itself', 'name another API, or remove it'),
  'version-name-differs': versions.warning('differs from the key of the version, which is the name in effect'),
  'override-target-ignored': versions.warning('has no effect because not_versioned is true', 'set proxy.target_url'),
  'invalid-override-target': versions.error('is not a URL of the form http://host:port/path'),
  'invalid-expiry': versions.error(
    'is not a date of the form 2006-01-02 15:04, so it counts as expired; -1 means never',
  ),
  'expired-version': versions.warning('is in the past: requests are rejected with 403', 'remove it'),
}
