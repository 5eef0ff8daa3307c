/**
 * Support status of the fields of classic definitions; `openapi-support.ts` and `session-support.ts` have the others.
 * docs/reference/support.md is generated from them.
 */
import { isJson, listOf, memberOf, textOf } from '../../lib/json.ts'
import type { Unsupported } from '../api-definition.ts'
import type { ClassicDefinition } from '../classic.ts'
import {
  findUnsupported,
  ignored,
  partly,
  rejected,
  type SupportTable,
  shortPeriodRows,
  stored,
  unsupportedRows,
} from './support.ts'

/** `graphql` keeps its value as it is written, so the names are those of the document. */
const graphqlSupport = {
  'graphql.execution_mode': partly('proxyOnly and subgraph; see execution modes in docs/reference/graphql.md'),
  'graphql.last_schema_update': stored(),
  'graphql.subgraph': stored('remove it; the schema of the API is graphql.schema'),
  'graphql.type_field_configurations': partly('data sources are not called: see docs/reference/graphql.md'),
  'graphql.introspection.disabled': ignored('introspection is a right of keys', {
    instead: 'set disable_introspection in the access rights of keys and policies',
  }),
  'graphql.subscription': ignored('subscriptions over WebSocket are rejected'),
  'graphql.proxy.subscription_type': ignored('subscriptions over WebSocket are rejected'),
  'graphql.proxy.sse_use_post': ignored('subscriptions over WebSocket are rejected'),
  'graphql.proxy.auth_headers': ignored('requests do not get these headers', { instead: 'use request_headers' }),
}

export const definitionSupport: SupportTable = new Map(
  Object.entries({
    auth_provider: rejected("keys come from the gateway's own storage only", {
      isUsedBy: namesOtherEngine,
      instead: 'remove it, and create the keys in this gateway',
    }),
    session_provider: ignored("sessions come from the gateway's own storage only", { isUsedBy: namesOtherEngine }),
    'version_data.versions.*.extended_paths.go_plugin': rejected(
      'plugins in Go cannot run; requests to the path are rejected',
      {
        isUsedBy: isEnabledPlugin,
        instead: 'write a script (custom_middleware or virtual) and remove the rule',
      },
    ),
    enable_proxy_protocol: ignored('the PROXY protocol is not sent to upstreams', {
      changesRequests: true,
      instead: 'let the upstream read X-Forwarded-For, and remove it',
    }),
    'custom_middleware.id_extractor': ignored('belongs to plugins in other languages, which are not supported', {
      isUsedBy: (value) => memberOf(value, 'disabled') !== true && textOf(memberOf(value, 'extract_from')) !== '',
      instead: 'remove it, and let the script of auth_check return the session',
    }),
    analytics_plugin: ignored('analytics records are not changed by plugins', {
      isUsedBy: isSwitchedOn,
      instead: 'change the records where they are read, and remove it',
    }),
    ...graphqlSupport,
    id: stored(),
    'auth.name': stored(),
    'auth_configs.*.name': stored(),
    'upstream_auth.oauth.client_credentials.extra_metadata': ignored('members of token responses are not kept'),
    'upstream_auth.oauth.password.extra_metadata': ignored('members of token responses are not kept'),
    'uptime_tests.config': ignored('all uptime tests have the settings of the configuration', {
      isUsedBy: hasUptimeSettings,
      instead: 'set uptime_tests.config in the configuration of the gateway',
    }),
    'uptime_tests.check_list.commands': ignored('tests of TCP connections cannot run', {
      instead: 'test an HTTP path, and remove it',
    }),
    'uptime_tests.check_list.protocol': ignored('tests use HTTP', { instead: 'test an HTTP path, and remove it' }),
    'uptime_tests.check_list.enable_proxy_protocol': ignored('the PROXY protocol is not sent'),
    'event_handlers.events.*.handler_meta.id': stored(),
    'CORS.debug': ignored('decisions are not logged', { instead: 'use turnpike explain, and remove it' }),
    json_rpc_version: ignored('MCP proxies speak JSON-RPC 2.0', {
      isUsedBy: (version) => version !== '' && version !== '2.0',
    }),
    'graphql.engine': partly('data sources are not called: see execution modes in docs/reference/graphql.md'),
    'graphql.supergraph': ignored('subgraphs are not composed', {
      changesRequests: true,
      instead: 'compose the schema in the upstream and use execution_mode proxyOnly',
      isUsedBy: (value) => listOf(memberOf(value, 'subgraphs')).length > 0,
    }),
    tags_disabled: stored('remove it; gateways are not segmented by tags'),
    slug: stored(),
    'version_data.versions.*.extended_paths.transform_headers.act_on': stored(),
    'version_data.versions.*.extended_paths.transform_response_headers.act_on': stored(),
    'custom_middleware.pre.raw_body_only': stored('remove it; scripts always get the body as text'),
    'custom_middleware.post_key_auth.raw_body_only': stored('remove it; scripts always get the body as text'),
    'custom_middleware.post.raw_body_only': stored('remove it; scripts always get the body as text'),
    'custom_middleware.response.raw_body_only': stored('remove it; scripts always get the body as text'),
    'custom_middleware.auth_check.raw_body_only': stored('remove it; scripts always get the body as text'),
    'custom_middleware.driver': partly('otto; an API whose scripts have another driver, or none, rejects requests'),
  }),
)

const shortPeriods = shortPeriodRows(
  ['global_rate_limit.per', 'version_data.versions.*.extended_paths.rate_limit.per'],
  true,
)
const rows = [...unsupportedRows(definitionSupport, true), ...shortPeriods]
const authProviderRows = rows.filter(({ names }) => names[0] === 'auth_provider')

/** The unsupported fields that a definition uses. */
export function unsupportedInDefinition(document: Readonly<ClassicDefinition>): readonly Unsupported[] {
  const found = findUnsupported(rows, document)
  // Dashboards write this part into all definitions; only this mode reads it.
  if (memberOf(document.graphql, 'execution_mode') === 'supergraph') return found
  return found.filter(({ path }) => path[1] !== 'supergraph')
}

/** Why the keys of a definition cannot be checked by this gateway; `undefined` if they can. */
export function unsupportedAuthProvider(document: Readonly<ClassicDefinition>): Unsupported | undefined {
  return findUnsupported(authProviderRows, document)[0]
}

/** Dashboards write the part with zeros and the defaults of a service discovery that is off. */
function hasUptimeSettings(config: unknown): boolean {
  const times = ['expireUtimeAfter', 'expire_utime_after', 'recheckWait', 'recheck_wait']
  const discovery = memberOf(config, 'serviceDiscovery') ?? memberOf(config, 'service_discovery')
  const isDiscovered = ['useDiscoveryService', 'use_discovery_service'].some(
    (name) => memberOf(discovery, name) === true,
  )
  return isDiscovered || times.some((name) => Number(memberOf(config, name) ?? 0) !== 0)
}

/** Existing definitions contain the entry with empty texts or with the built-in engine. */
function namesOtherEngine(provider: unknown): boolean {
  const engine = textOf(memberOf(provider, 'storage_engine'))
  return engine !== '' && engine !== 'redis'
}

function isSwitchedOn(plugin: unknown): boolean {
  return memberOf(plugin, 'enable') === true || memberOf(plugin, 'enabled') === true
}

/** Returns true if one of the rules runs a plugin. */
function isEnabledPlugin(rules: unknown): boolean {
  return listOf(rules).some((rule) => isJson(rule) && rule['disabled'] !== true)
}
