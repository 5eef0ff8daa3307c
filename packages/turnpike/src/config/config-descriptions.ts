/**
 * What configuration keys mean, by path, where the shape of the configuration has no description. The JSON Schema, the types
 * and docs/reference/generated/configuration.md show these sentences; docs/reference/configuration.md has the details.
 */

const storage = {
  type: 'lmdb: embedded, for one node, in `data_path`. memory: for one node, lost at a restart. redis: shared by nodes.',
  host: 'Host of one Redis.',
  port: 'TCP port of one Redis.',
  master_name: 'Name of the master that the Sentinels watch.',
  sentinel_password: 'Password of the Sentinels.',
  username: 'User of Redis.',
  password: 'Password of Redis.',
  database: 'Number of the database in Redis.',
  enable_cluster: 'The addresses are nodes of a Redis Cluster.',
  use_ssl: 'Connects with TLS.',
  ssl_insecure_skip_verify: 'The certificate of Redis is not verified.',
  ca_file: 'PEM file of the authorities that Redis certificates must have. Default: those of the system.',
  cert_file: 'PEM file of the client certificate.',
  key_file: 'PEM file of the key of the client certificate.',
  tls_min_version: 'Lowest version of TLS.',
  tls_max_version: 'Highest version of TLS.',
}

const server = {
  allow_insecure_configs: 'Accepts cluster messages with a wrong or missing signature.',
  hide_generator_header: 'Responses have no header X-Generator.',
  'ports_whitelist.*.ranges': 'Ranges of TCP ports that APIs of this protocol may use.',
  'ports_whitelist.*.ranges.from': 'First port of the range.',
  'ports_whitelist.*.ranges.to': 'Last port of the range.',
  'ports_whitelist.*.ports': 'Single TCP ports that APIs of this protocol may use.',
  'health_check.enable_health_checks': 'Serves the numbers of an API at /svc/health.',
  'http_server_options.use_ssl': 'Serves TLS on the port of the gateway.',
  'http_server_options.ssl_certificates': 'Ids or PEM files of certificates.',
  'http_server_options.certificates': 'Certificates by host name.',
  'http_server_options.certificates.domain_name': 'Host name that clients request.',
  'http_server_options.certificates.cert_file': 'PEM file of the certificate.',
  'http_server_options.certificates.key_file': 'PEM file of its key.',
  'http_server_options.max_version': 'Highest version of TLS: 771 is 1.2, 772 is 1.3. Default: 0, the highest.',
  'http_server_options.ssl_ciphers': 'Cipher suites. Default: those of Node.',
  'http_server_options.enable_http2': 'Serves HTTP/2; without TLS by prior knowledge only.',
  'http_server_options.skip_url_cleaning': 'Paths with repeated slashes and dot segments are not redirected.',
  'http_server_options.enable_strict_routes': 'A listen path matches whole segments only.',
  'http_server_options.enable_path_prefix_matching':
    'Patterns that begin with / must match from the start of the path.',
  'http_server_options.enable_path_suffix_matching': 'Patterns must match up to the end of the path.',
  close_connections: 'Closes the connection of a client after each request.',
  management_node: 'The node serves no requests of clients, so the others do not count it when they share rates.',
}

const sources = {
  middleware_path: 'Folder of the scripts of APIs.',
  use_db_app_configs: 'Definitions belong to a dashboard: the management API rejects changes.',
  'policies.policy_source': 'file or empty: policies come from files.',
  allow_unsafe_policy_ids: 'Policy ids may contain other characters than A-Z, a-z, 0-9 and . _ - ~.',
  suppress_redis_signal_reload: 'The node ignores messages of other nodes.',
  ignore_endpoint_case: 'Path rules of all APIs match in any case.',
}

const sessions = {
  basic_auth_hash_key_function: 'Hash of passwords: bcrypt, sha256, murmur32, murmur64 or murmur128.',
  enable_hashed_keys_listing: 'The list of keys has their hashes if `hash_keys` is set; otherwise it is refused.',
  disable_key_actions_by_username: 'The management API finds keys by their full name or hash only.',
  force_global_session_lifetime: 'All sessions are stored for `global_session_lifetime`.',
  session_lifetime_respects_key_expiration: 'Sessions are stored at least until their key expires.',
  'local_session_cache.disable_cached_session_state': 'Reads the session from the store at each request.',
  enforce_org_data_age: 'Analytics records are kept as long as the session of the organisation says.',
  enforce_org_data_detail_logging: 'The session of the organisation decides about detailed analytics records.',
  experimental_process_org_off_thread:
    'Requests do not wait for the check of the limits of their organisation; a failed one rejects later requests.',
  suppress_default_org_store: 'The management API rejects sessions of organisations without an API.',
  override_messages: 'Status and text of errors of authentication, by id such as auth.key_not_found.',
  'override_messages.*.code': 'Status of the response. Default: 0, the usual one.',
  'override_messages.*.message': 'Text of the response. Default: the usual one.',
  error_overrides: 'Replaces error responses of all APIs, by status (401) or class (4xx).',
}

const oauth = {
  oauth_token_expired_retain_period: 'Seconds after which expired OAuth tokens are removed; 0: never.',
  oauth_redirect_uri_separator: 'Text between several redirect URIs of an OAuth client. Default: one URI.',
  oauth_error_status_code: 'Status of errors of the OAuth server.',
  oauth_rfc6749_errors: 'The OAuth server follows the standards: errors, client authentication, revocation, metadata.',
  jwt_rfc6750_errors: 'Rejected tokens of JWT APIs are 401 with WWW-Authenticate.',
  jwt_ssl_insecure_skip_verify: 'Certificates of servers with key sets are not verified.',
  'jwks.cache.timeout': 'Seconds for which key sets are cached.',
}

const limits = {
  enable_redis_rolling_limiter: 'Counts rates in a rolling window that all nodes share.',
  enable_fixed_window_rate_limiter: 'Counts rates in fixed windows that all nodes share.',
  enable_sentinel_rate_limiter: 'Counts rates beside the request; a key over its rate is blocked for the period.',
  drl_enable_sentinel_rate_limiter: 'The rolling window rejects one request earlier, as original gateways do.',
  enable_rate_limit_smoothing: 'Raises and lowers the rate of keys in steps, as their `smoothing` says.',
  drl_threshold: 'Rates up to this number per second and node are counted in a shared rolling window.',
}

const upstreams = {
  proxy_close_connections: 'Closes connections to upstreams after each request.',
  proxy_ssl_insecure_skip_verify: 'Certificates of upstreams are not verified.',
  proxy_ssl_min_version: 'Lowest version of TLS to upstreams: 771 is 1.2, 772 is 1.3. Default: 0, that of Node.',
  proxy_ssl_max_version: 'Highest version of TLS to upstreams: 771 is 1.2, 772 is 1.3. Default: 0, that of Node.',
  proxy_ssl_ciphers: 'Cipher suites for upstreams. Default: those of Node.',
  'uptime_tests.disable': 'Runs no uptime tests.',
  'uptime_tests.poller_group': 'Nodes with the same name share one poller.',
  'uptime_tests.config.failure_trigger_sample_size': 'Number of equal results in a row that make a host down or up.',
}

const security = {
  'security.certificates.apis': 'Ids of client certificates that all APIs with mutual TLS accept.',
  'security.certificates.upstream': 'Ids of client certificates for upstreams, by host.',
  'security.certificates.control_api': 'Ids of client certificates that the management API accepts.',
  'security.control_api_use_mutual_tls': 'Management calls need a client certificate.',
  'security.pinned_public_keys': 'Ids of public keys that upstreams must have, by host.',
  'security.certificate_expiry_monitor.warning_threshold_days': 'Days before the expiry at which an event is fired.',
  'security.certificate_expiry_monitor.check_cooldown_seconds': 'Seconds between two checks of a certificate.',
  'security.certificate_expiry_monitor.event_cooldown_seconds': 'Seconds until the event of a certificate is repeated.',
}

const observation = {
  'opentelemetry.tls.ca_file': 'PEM file of the authorities that the certificate of the collector must have.',
  'opentelemetry.tls.cert_file': 'PEM file of the client certificate for the collector.',
  'opentelemetry.tls.key_file': 'PEM file of the key of the client certificate.',
  'opentelemetry.tls.min_version': 'Lowest version of TLS.',
  'opentelemetry.tls.max_version': 'Highest version of TLS.',
  'event_handlers.events.*': 'The handlers of the event.',
  'monitor.enable_trigger_monitors': 'Fires an event when a key has used a share of its quota.',
  'monitor.global_trigger_limit': 'Percentage of the quota for all keys; 0: only those of the session.',
  'monitor.monitor_user_keys': 'Watches keys.',
  'monitor.monitor_org_keys': 'Watches organisations.',
  log_level: 'Least severe lines that are logged.',
  log_format: 'standard and default: text. json: a JSON object for each line.',
  'access_logs.enabled': 'Logs a line for each request.',
  'access_logs.template': 'Fields of the lines. Default: all.',
  enable_analytics: 'Writes an analytics record for each request.',
  enable_separate_analytics_store: 'Analytics records go to `analytics_storage`.',
  enable_separate_cache_store: 'Cached responses go to `cache_storage`.',
  enable_detailed_recording: 'Analytics records contain requests and responses.',
  tag_headers: 'Request headers whose values become tags of analytics records.',
  'analytics_config.type': 'Where records go; empty: to the storage.',
  'analytics_config.ignored_ips': 'Addresses of clients whose requests are not recorded.',
  'analytics_config.enable_detailed_recording': 'Analytics records contain requests and responses.',
  'analytics_config.enable_multiple_analytics_keys': 'Distributes records over ten lists in Redis.',
  'analytics_config.records_buffer_size': 'Number of records that are written together, at least 1000.',
  'analytics_config.storage_expiration_time':
    'Seconds for which a list of records without a reader is kept in Redis; -1: for ever.',
  'analytics_config.normalise_urls.enabled': 'Replaces variable parts of paths in records.',
  'analytics_config.normalise_urls.normalise_uuids': 'Replaces UUIDs by {uuid}.',
  'analytics_config.normalise_urls.normalise_ulids': 'Replaces ULIDs by {ulid}.',
  'analytics_config.normalise_urls.normalise_numbers': 'Replaces segments that are numbers by {id}.',
  'analytics_config.normalise_urls.custom_patterns': 'Regular expressions; each match is replaced by {var}.',
  'records.mongodb.database': 'Database of the records. Default: that of the URL.',
  'records.mongodb.collection': 'Collection of the records.',
}

const development = {
  'echo.enabled': 'Starts an upstream that responds with the request it received.',
  'echo.listen_port': 'TCP port of this upstream; 0: a free one.',
  'dashboard.organisations': 'Organisations of the dashboard.',
  'dashboard.organisations.id': 'Id of the organisation, as in definitions and keys.',
  'dashboard.organisations.owner_name': 'Name that the page shows.',
  'dashboard.users': 'People who can sign in.',
  'dashboard.users.id': 'Id of the user.',
  'dashboard.users.email_address': 'E-mail address, by which an identity broker names the user.',
  'dashboard.users.org_id': 'Organisation of the user.',
  'dashboard.users.active': 'The user can sign in.',
  'dashboard.users.group_id': 'Group of the user, whose permissions count.',
  'dashboard.users.user_permissions':
    'read or write, by area: analytics, apis, keys, policies; {"IsAdmin": "admin"}: everything.',
  'dashboard.user_groups': 'Groups of users.',
  'dashboard.user_groups.id': 'Id of the group.',
  'dashboard.user_groups.org_id': 'Organisation of the group.',
  'dashboard.user_groups.name': 'Name of the group.',
  'dashboard.user_groups.user_permissions':
    'read or write, by area: analytics, apis, keys, policies; {"IsAdmin": "admin"}: everything.',
  'dashboard.portal_home_path': 'Path to which a login of the portal is redirected.',
  'dashboard.sso_default_group_id': 'Group of people without a user who sign in by single sign-on.',
}

/** The rules of `error_overrides` are those of definitions: packages/core/src/definition/descriptions. */
const errorRules = {
  'error_overrides.*': 'Rules for a status or a class; the first that matches counts.',
  'error_overrides.*.match.flag': 'Flag that the error must have, such as AKI.',
  'error_overrides.*.match.message_pattern': 'Regular expression that the text of the error must contain.',
  'error_overrides.*.match.body_field': 'Path of a value in the JSON body of an upstream, such as err.code.',
  'error_overrides.*.match.body_value': 'The text that this value must equal.',
  'error_overrides.*.response.status_code': 'Status of the response. Default: that of the error.',
  'error_overrides.*.response.body': 'Body of the response: a template with .StatusCode and .Message.',
  'error_overrides.*.response.message': 'Text of the error in the usual layout.',
  'error_overrides.*.response.template': 'Name of an error template that builds the body.',
  'error_overrides.*.response.headers': 'Headers of the response.',
}

export const configDescriptions: Readonly<Record<string, string>> = {
  ...server,
  ...sources,
  ...sessions,
  ...oauth,
  ...limits,
  ...upstreams,
  ...security,
  ...observation,
  ...development,
  ...errorRules,
  ...below('storage', storage),
  ...below('analytics_storage', storage),
  ...below('cache_storage', storage),
}

function below(path: string, descriptions: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(descriptions).map(([name, text]) => [`${path}.${name}`, text]))
}
