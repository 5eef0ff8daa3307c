/**
 * Support status of the keys of the configuration: a key of the shape is supported unless a row below names it.
 * docs/reference/support.md is generated from it. The tables for definitions, keys and policies are in
 * packages/core/src/definition/support-status, whose `support.ts` defines the statuses.
 */
import { ignored, type SupportTable, type UnsupportedRows, unsupportedRows } from '@turnpike/core/definition'
import { type Json, type JsonPath, memberOf } from '@turnpike/core/lib'

const fromFiles = 'definitions and policies come from files, not from a dashboard'
const logsToStandardError = 'logs go to the standard error output only'
const idleConnections = 'idle connections to upstreams are limited by the HTTP client'

/** Keys without effect, the reason, and what to do instead of removing them. */
const withoutEffect: readonly (readonly [keys: string, reason: string, instead?: string])[] = [
  ['http_server_options.skip_client_ca_announcement', 'the list of accepted authorities is not announced to clients'],
  ['http_server_options.flush_interval', 'responses are sent as they arrive'],
  ['policies.allow_explicit_policy_id', 'explicit ids of policies are always allowed'],
  [
    'local_session_cache.cached_session_timeout local_session_cache.cached_session_eviction global_session_cache_timeout',
    'cached sessions are dropped when they change',
  ],
  ['security.certificates.mdcb_api slave_options', 'remote gateways are not supported'],
  ['enable_non_transactional_rate_limiter', 'rates are counted in one atomic step'],
  ['close_idle_connections', 'connections to clients and upstreams are kept alive'],
  ['max_conn_time', 'connections to upstreams are not limited in age'],
  ['proxy_ssl_disable_renegotiation', 'renegotiation of TLS is never allowed'],
  [
    'dns_cache.multiple_ips_handle_strategy dns_cache.enabled dns_cache.ttl',
    'the system resolver performs every lookup',
  ],
  ['monitor.configuration.name', 'the web hook needs no name'],
  ['monitor.configuration.id', 'the web hook needs no id'],
  ['event_handlers.events.*.handler_meta.id', 'handlers need no id'],
  ['uptime_tests.config.checker_pool_size', 'the tests need no pool'],
  ['uptime_tests.config.enable_uptime_analytics enable_uptime_analytics', 'uptime records are not stored'],
  ['analytics_config.enable_geo_ip analytics_config.geo_ip_db_path', 'records contain no place of the client'],
  ['analytics_config.purge_interval', 'records are written at once'],
  ['analytics_config.pool_size', 'records are written without a pool'],
  ['analytics_config.serializer_type', 'records are written as msgpack'],
  ['allow_remote_config', 'the configuration cannot be changed at run time'],
  ['coprocess_options', 'plugins in other languages are not supported', 'write scripts (enable_jsvm)'],
  ['db_app_conf_options disable_dashboard_zeroconf', fromFiles, 'set app_path and policies.policy_path'],
  ['jaeger tracing newrelic', 'traces are sent in the protocol of OpenTelemetry only', 'use opentelemetry'],
  [
    'kv',
    'secrets come from the environment and the configuration, not from Consul and Vault',
    'use env://NAME or secrets://NAME',
  ],
  ['streaming', 'streams are not supported'],
  ['labs', 'there are no experimental features of this name'],
  ['http_server_options.read_timeout', 'clients have 120 s to send a request'],
  ['http_server_options.write_timeout', 'responses have no time limit of their own'],
  ['enable_key_logging', 'whole keys are never logged', 'look for the hash of the key'],
  ['max_idle_connections max_idle_connections_per_host', idleConnections],
  ['header_map', 'web hooks have headers of their own', 'set header_map of each web hook'],
  ['http_server_options.server_name', 'the certificate is selected by the name that the client requests'],
  [
    ['storage', 'analytics_storage', 'cache_storage']
      .map((section) => `${section}.optimisation_max_idle ${section}.optimisation_max_active`)
      .join(' '),
    'each node uses one pipelined connection',
  ],
  ['policies.policy_connection_string', 'policies of a dashboard service cannot be read', 'set policies.policy_path'],
  ['security.certificates.dashboard_api', 'definitions come from files, not from a dashboard', 'set app_path'],
  ['reload_interval', 'a reload begins at once'],
  ['resource_sync.retry_attempts resource_sync.interval', 'definitions are read again at the next reload'],
  [
    `logstash_network_addr logstash_transport sentry_code sentry_log_level syslog_network_addr syslog_transport
    use_graylog use_logstash use_redis_log use_sentry use_syslog graylog_network_addr`,
    logsToStandardError,
    'let the service manager collect them',
  ],
  ['statsd_connection_string statsd_prefix', 'metrics are served for Prometheus', 'set metrics.enabled'],
]

/** A key without effect is reported with any value. */
export const configSupport: SupportTable = new Map(
  withoutEffect.flatMap(([keys, reason, instead = 'remove it']) =>
    keys.split(/\s+/).map((key) => [key, ignored(reason, { isUsedBy: () => true, instead })] as const),
  ),
)

/**
 * Keys for the speed and the inner workings of the original gateway. Sample configurations contain them, and nothing is
 * missing without them, so `check` only counts them.
 */
export const tuningKeys: ReadonlySet<string> = new Set([
  'analytics_config.pool_size',
  'analytics_config.purge_interval',
  'analytics_config.serializer_type',
  'close_idle_connections',
  'disable_dashboard_zeroconf',
  'enable_non_transactional_rate_limiter',
  'event_handlers.events.*.handler_meta.id',
  'global_session_cache_timeout',
  'http_server_options.flush_interval',
  'local_session_cache.cached_session_eviction',
  'local_session_cache.cached_session_timeout',
  'max_conn_time',
  'max_idle_connections',
  'max_idle_connections_per_host',
  'monitor.configuration.id',
  'monitor.configuration.name',
  'policies.allow_explicit_policy_id',
  'proxy_ssl_disable_renegotiation',
  'uptime_tests.config.checker_pool_size',
  ...['storage', 'analytics_storage', 'cache_storage'].flatMap((section) => [
    `${section}.optimisation_max_active`,
    `${section}.optimisation_max_idle`,
  ]),
])

/** Parts that the original gateway does not use either, unless their switch is true. */
const switches: readonly (readonly [keys: string, ...path: string[]])[] = [
  ['coprocess_options', 'coprocess_options', 'enable_coprocess'],
  ['db_app_conf_options', 'use_db_app_configs'],
  ['graylog_network_addr', 'use_graylog'],
  ['logstash_network_addr logstash_transport', 'use_logstash'],
  ['sentry_code sentry_log_level', 'use_sentry'],
  ['slave_options', 'slave_options', 'use_rpc'],
  ['streaming', 'streaming', 'enabled'],
  ['syslog_network_addr syslog_transport', 'use_syslog'],
  ['tracing', 'tracing', 'enabled'],
]

const switchOf = new Map(switches.flatMap(([keys, ...path]) => keys.split(' ').map((key) => [key, path] as const)))

/** Whether the switch of a key without effect is off, so that nothing is missing. */
export function isSwitchedOff(path: JsonPath, document: Json): boolean {
  const place = switchOf.get(String(path[0]))
  return place !== undefined && memberOf(document, ...place) !== true
}

/** For configurations with the names of the file. */
export const unsupportedInConfig: UnsupportedRows = unsupportedRows(configSupport, false)
