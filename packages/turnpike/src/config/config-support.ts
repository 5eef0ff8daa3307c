/** Support status of the keys of the configuration. docs/reference/support.md is generated from it. */
import { ignored, makeSupportTable, type SupportTable, type UnsupportedRows, unsupportedRows } from '@turnpike/core'

/** A key without effect is reported with any value. */
const withoutEffect = (reason: string, instead = 'remove it') => ignored(reason, { isUsedBy: () => true, instead })

const oneConnection = 'each node uses one pipelined connection'
const oneTraceFormat = 'traces are sent in the protocol of OpenTelemetry only'
const resolver = 'the resolver of the system answers every lookup'

export const configSupport: SupportTable = makeSupportTable(
  {
    '': `
      max_read_body_size max_read_response_size jwt_rfc6750_errors listen_address listen_port hostname control_api_port control_api_hostname secret node_secret enable_http_profiler
      enable_config_inspection enable_custom_domains allow_insecure_configs public_key_path private_key_path
      disable_ports_whitelist pid_file_location hide_generator_header graceful_shutdown_timeout_duration
      health_check_endpoint_name readiness_check_endpoint_name secrets trusted_proxies mcp_other_bodies
      detailed_credentials session_proof private_urls enable_separate_analytics_store enable_separate_cache_store data_path storage_outage app_path
      template_path middleware_path use_db_app_configs allow_unsafe_policy_ids suppress_redis_signal_reload
      hash_keys hash_key_function hash_key_function_fallback basic_auth_hash_key_function enable_hashed_keys_listing
      disable_key_actions_by_username min_token_length allow_master_keys global_session_lifetime
      force_global_session_lifetime session_lifetime_respects_key_expiration enforce_org_quotas enforce_org_data_age
      enforce_org_data_detail_logging experimental_process_org_off_thread suppress_default_org_store
      oauth_token_expire oauth_refresh_token_expire oauth_token_expired_retain_period
      oauth_redirect_uri_separator oauth_redirect_uri_prefix oauth_error_status_code oauth_rfc6749_errors jwt_ssl_insecure_skip_verify
      enable_redis_rolling_limiter enable_fixed_window_rate_limiter enable_sentinel_rate_limiter
      drl_enable_sentinel_rate_limiter enable_rate_limit_smoothing drl_threshold drl_notification_frequency
      management_node rate_limit_response_headers rate_limit_headers proxy_default_timeout proxy_enable_http2 close_connections proxy_close_connections proxy_ssl_insecure_skip_verify
      proxy_ssl_min_version proxy_ssl_max_version proxy_ssl_ciphers ssl_force_common_name_check ignore_endpoint_case
      version_header enable_jsvm jsvm_timeout disable_virtual_path_blobs svc_js_path tyk_js_path
      enable_bundle_downloader bundle_base_url bundle_insecure_skip_verify log_level log_format track_404_logs
      enable_analytics enable_detailed_recording tag_headers vendor front_end upstream_client workers
      mcp_count_each_stage undeclared_response_processors honour_active strict body_stall_timeout stream_idle_timeout seed
      noop_stages
    `,
    'ports_whitelist.*.ranges': 'from to',
    'ports_whitelist.*': 'ports',
    liveness_check: 'check_duration',
    health_check: 'enable_health_checks health_check_value_timeouts',
    http_server_options: `
      use_ssl ssl_certificates min_version max_version ssl_ciphers enable_http2 enable_websockets
      skip_url_cleaning skip_target_path_escaping enable_strict_routes enable_path_prefix_matching
      enable_path_suffix_matching xff_depth max_request_body_size max_response_body_size
    `,
    'http_server_options.certificates': 'domain_name cert_file key_file',
    'event_handlers.events.*': 'handler_name',
    'event_handlers.events.*.handler_meta': `
      method target_path template_path header_map event_timeout disabled name prefix path
    `,
    monitor: 'enable_trigger_monitors global_trigger_limit monitor_user_keys monitor_org_keys',
    'monitor.configuration': 'method target_path template_path header_map event_timeout disabled',
    storage: `
      type layout host port hosts addrs master_name sentinel_password username password database timeout
      enable_cluster use_ssl ssl_insecure_skip_verify ca_file cert_file key_file tls_min_version tls_max_version
    `,
    analytics_storage: `
      type host port hosts addrs master_name sentinel_password username password database timeout
      enable_cluster use_ssl ssl_insecure_skip_verify ca_file cert_file key_file tls_min_version tls_max_version
    `,
    cache_storage: `
      type host port hosts addrs master_name sentinel_password username password database timeout
      enable_cluster use_ssl ssl_insecure_skip_verify ca_file cert_file key_file tls_min_version tls_max_version
    `,
    policies: 'policy_source policy_record_name policy_path',
    local_session_cache: 'disable_cached_session_state',
    'override_messages.*': 'code message',
    'error_overrides.*.match': 'flag message_pattern body_field body_value',
    'error_overrides.*.response': 'status_code body message template headers',
    'jwks.cache': 'timeout',
    security: 'private_certificate_encoding_secret control_api_use_mutual_tls pinned_public_keys',
    'security.certificates': 'apis upstream control_api',
    'security.certificate_expiry_monitor': 'warning_threshold_days check_cooldown_seconds event_cooldown_seconds',
    service_discovery: 'default_cache_timeout',
    uptime_tests: 'disable poller_group',
    'uptime_tests.config': 'failure_trigger_sample_size time_wait',
    access_logs: 'enabled template',
    analytics_config: `
      type ignored_ips enable_detailed_recording enable_multiple_analytics_keys records_buffer_size
      storage_expiration_time
    `,
    'analytics_config.normalise_urls': 'enabled normalise_uuids normalise_ulids normalise_numbers custom_patterns',
    batch: 'max_items max_concurrency max_body_bytes max_response_bytes',
    cache: 'max_bytes max_body_bytes',
    metrics: 'enabled path listen_port',
    records: 'memory',
    'records.file': 'path max_bytes max_files',
    'records.mongodb': 'url database collection',
    docs: 'enabled',
    opentelemetry: `
      enabled exporter endpoint headers connection_timeout resource_name span_processor_type context_propagation
    `,
    'opentelemetry.tls': 'enable insecure_skip_verify ca_file cert_file key_file min_version max_version',
    'opentelemetry.sampling': 'type rate parent_based',
    'opentelemetry.metrics': 'enabled export_interval',
    echo: 'enabled listen_port',
    scripts: 'max_workers memory_mb stack_kb',
    dashboard: `
      enabled listen_address listen_port admin_secret home_path portal_home_path dashboard_session_lifetime
      portal_session_lifetime sso_permission_defaults sso_default_group_id sso_enable_user_lookup
      sso_custom_login_error_url secure_cookie sso_nonce_lifetime sign_in_link
    `,
    'dashboard.organisations': 'id owner_name',
    'dashboard.users': 'id email_address org_id active group_id user_permissions',
    'dashboard.user_groups': 'id org_id name user_permissions',
  },
  {
    'http_server_options.skip_client_ca_announcement': withoutEffect(
      'the list of accepted authorities is not announced to clients',
    ),
    'http_server_options.flush_interval': withoutEffect('responses are sent as they arrive'),
    'policies.allow_explicit_policy_id': withoutEffect('explicit ids of policies are always allowed'),
    'local_session_cache.cached_session_timeout': withoutEffect('cached sessions are dropped when they change'),
    'local_session_cache.cached_session_eviction': withoutEffect('cached sessions are dropped when they change'),
    'security.certificates.mdcb_api': withoutEffect('remote gateways are not supported'),
    enable_non_transactional_rate_limiter: withoutEffect('rates are counted in one atomic step'),
    max_conn_time: withoutEffect('connections to upstreams are not limited in age'),
    proxy_ssl_disable_renegotiation: withoutEffect('renegotiation of TLS is never allowed'),
    'dns_cache.multiple_ips_handle_strategy': withoutEffect(resolver),
    global_session_cache_timeout: withoutEffect('cached sessions are dropped when they change'),
    'monitor.configuration.name': withoutEffect('the web hook needs no name'),
    'monitor.configuration.id': withoutEffect('the web hook needs no id'),
    'event_handlers.events.*.handler_meta.id': withoutEffect('handlers need no id'),
    'uptime_tests.config.checker_pool_size': withoutEffect('the tests need no pool'),
    'uptime_tests.config.enable_uptime_analytics': withoutEffect('uptime records are not stored'),
    'analytics_config.enable_geo_ip': withoutEffect('records contain no place of the client'),
    'analytics_config.geo_ip_db_path': withoutEffect('records contain no place of the client'),
    'analytics_config.purge_interval': withoutEffect('records are written at once'),
    'analytics_config.pool_size': withoutEffect('records are written without a pool'),
    'analytics_config.serializer_type': withoutEffect('records are written as msgpack'),
    allow_remote_config: withoutEffect('the configuration cannot be changed at run time'),
    coprocess_options: withoutEffect('plugins in other languages are not supported', 'write scripts (enable_jsvm)'),
    db_app_conf_options: withoutEffect(
      'definitions and policies come from files, not from a dashboard',
      'set app_path and policies.policy_path',
    ),
    disable_dashboard_zeroconf: withoutEffect(
      'definitions and policies come from files, not from a dashboard',
      'set app_path and policies.policy_path',
    ),
    enable_uptime_analytics: withoutEffect('uptime records are not stored'),
    jaeger: withoutEffect(oneTraceFormat, 'use opentelemetry'),
    tracing: withoutEffect(oneTraceFormat, 'use opentelemetry'),
    newrelic: withoutEffect(oneTraceFormat, 'use opentelemetry'),
    kv: withoutEffect(
      'secrets come from the environment and the configuration, not from Consul and Vault',
      'use env://NAME or secrets://NAME',
    ),
    labs: withoutEffect('there are no experimental features of this name'),
    'http_server_options.read_timeout': withoutEffect('clients have 120 s to send a request'),
    'http_server_options.write_timeout': withoutEffect('responses have no time limit of their own'),
    enable_key_logging: withoutEffect('whole keys are never logged', 'look for the hash of the key'),
    max_idle_connections: withoutEffect('idle connections to upstreams are limited by the HTTP client'),
    max_idle_connections_per_host: withoutEffect('idle connections to upstreams are limited by the HTTP client'),
    header_map: withoutEffect('web hooks have headers of their own', 'set header_map of each web hook'),
    'http_server_options.server_name': withoutEffect(
      'the certificate is selected by the name that the client requests',
    ),
    'storage.optimisation_max_idle': withoutEffect(oneConnection),
    'storage.optimisation_max_active': withoutEffect(oneConnection),
    'analytics_storage.optimisation_max_idle': withoutEffect(oneConnection),
    'analytics_storage.optimisation_max_active': withoutEffect(oneConnection),
    'cache_storage.optimisation_max_idle': withoutEffect(oneConnection),
    'cache_storage.optimisation_max_active': withoutEffect(oneConnection),
    'policies.policy_connection_string': withoutEffect(
      'policies of a dashboard service cannot be read',
      'set policies.policy_path',
    ),
    'security.certificates.dashboard_api': withoutEffect(
      'definitions come from files, not from a dashboard',
      'set app_path',
    ),
    'dns_cache.enabled': withoutEffect(resolver),
    'dns_cache.ttl': withoutEffect(resolver),
    reload_interval: withoutEffect('a reload begins at once'),
    'resource_sync.retry_attempts': withoutEffect('definitions are read again at the next reload'),
    'resource_sync.interval': withoutEffect('definitions are read again at the next reload'),
    slave_options: withoutEffect('remote gateways are not supported'),
    logstash_network_addr: withoutEffect(
      'logs go to the standard error output only',
      'let the service manager collect them',
    ),
    logstash_transport: withoutEffect(
      'logs go to the standard error output only',
      'let the service manager collect them',
    ),
    sentry_code: withoutEffect('logs go to the standard error output only', 'let the service manager collect them'),
    sentry_log_level: withoutEffect(
      'logs go to the standard error output only',
      'let the service manager collect them',
    ),
    syslog_network_addr: withoutEffect(
      'logs go to the standard error output only',
      'let the service manager collect them',
    ),
    syslog_transport: withoutEffect(
      'logs go to the standard error output only',
      'let the service manager collect them',
    ),
    use_graylog: withoutEffect('logs go to the standard error output only', 'let the service manager collect them'),
    use_logstash: withoutEffect('logs go to the standard error output only', 'let the service manager collect them'),
    use_redis_log: withoutEffect('logs go to the standard error output only', 'let the service manager collect them'),
    use_sentry: withoutEffect('logs go to the standard error output only', 'let the service manager collect them'),
    use_syslog: withoutEffect('logs go to the standard error output only', 'let the service manager collect them'),
    graylog_network_addr: withoutEffect(
      'logs go to the standard error output only',
      'let the service manager collect them',
    ),
    statsd_connection_string: withoutEffect('metrics are served for Prometheus', 'set metrics.enabled'),
    statsd_prefix: withoutEffect('metrics are served for Prometheus', 'set metrics.enabled'),
  },
)

/** For configurations with the names of the file. */
export const unsupportedInConfig: UnsupportedRows = unsupportedRows(configSupport, false)
