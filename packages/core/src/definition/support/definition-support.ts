/** Support status of the fields of classic definitions. docs/reference/support.md is generated from it. */
import { isJson, listOf, memberOf, textOf } from '../../lib/json.ts'
import type { ClassicDefinition } from '../classic.ts'
import {
  findUnsupported,
  ignored,
  joinRows,
  makeSupportTable,
  partly,
  refused,
  type SupportTable,
  shortPeriodRows,
  stored,
  type Unsupported,
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
  'graphql.subscription': ignored('subscriptions over WebSocket are refused'),
  'graphql.proxy.subscription_type': ignored('subscriptions over WebSocket are refused'),
  'graphql.proxy.sse_use_post': ignored('subscriptions over WebSocket are refused'),
  'graphql.proxy.auth_headers': ignored('requests do not get these headers', { instead: 'use request_headers' }),
}

export const definitionSupport: SupportTable = makeSupportTable(
  {
    '': `
      name expiration listen_port protocol api_id org_id use_keyless use_oauth2 use_openid use_basic_auth
      use_mutual_tls_auth client_certificates upstream_certificates upstream_certificates_disabled
      pinned_public_keys certificate_pinning_disabled enable_jwt use_standard_auth use_go_plugin_auth
      enable_coprocess_auth custom_plugin_auth_enabled jwt_signing_method jwt_source jwt_identity_base_field
      jwt_client_base_field jwt_policy_field_name jwt_default_policies jwt_issued_at_validation_skew
      jwt_expires_at_validation_skew jwt_not_before_validation_skew jwt_skip_kid idp_client_id_mapping_disabled
      jwt_scope_to_policy_mapping jwt_scope_claim_name enable_signature_checking hmac_allowed_clock_skew
      hmac_allowed_algorithms hmac_require_signed_content base_identity_provided_by security_requirements version_name disable_rate_limit
      disable_quota custom_middleware_bundle custom_middleware_bundle_disabled cache_mode
      session_lifetime_respects_key_expiration session_lifetime active internal enable_batch_request_support
      ip_access_control_disabled enable_ip_whitelisting allowed_ips enable_ip_blacklisting blacklisted_ips
      dont_set_quota_on_create expire_analytics_after domain domain_disabled certificates do_not_track
      enable_context_vars config_data config_data_disabled tags tag_headers strip_auth_data
      enable_detailed_recording is_oas stages application_protocol detailed_tracing error_overrides_disabled
    `,
    external_oauth: 'enabled',
    'external_oauth.providers.jwt': `
      enabled signing_method source issued_at_validation_skew not_before_validation_skew expires_at_validation_skew
      identity_base_field
    `,
    'external_oauth.providers.introspection': 'enabled url client_id client_secret identity_base_field',
    'external_oauth.providers.introspection.cache': 'enabled timeout',
    'openid_options.providers': 'issuer client_ids',
    openid_options: 'segregate_by_client',
    oauth_meta: 'allowed_access_types allowed_authorize_types auth_login_redirect',
    auth: `
      use_param param_name use_cookie cookie_name disable_header auth_header_name use_certificate
      validate_signature
    `,
    'auth.signature': 'algorithm header use_param param_name secret allowed_clock_skew error_code error_message',
    'auth_configs.*': `
      use_param param_name use_cookie cookie_name disable_header auth_header_name use_certificate
      validate_signature
    `,
    'auth_configs.*.signature': `
      algorithm header use_param param_name secret allowed_clock_skew error_code error_message
    `,
    basic_auth: 'disable_caching cache_ttl extract_from_body body_user_regexp body_password_regexp',
    'scopes.jwt': 'scope_claim_name scope_to_policy',
    'scopes.oidc': 'scope_claim_name scope_to_policy',
    notifications: 'shared_secret oauth_on_keychange_url',
    request_signing: 'is_enabled secret key_id algorithm header_list certificate_id signature_header',
    definition: `
      enabled name default location key strip_path strip_versioning_data url_versioning_pattern fallback_to_default
      versions
    `,
    version_data: 'not_versioned default_version',
    'version_data.versions.*': `
      name expires use_extended_paths global_headers global_headers_remove global_headers_disabled
      global_response_headers global_response_headers_remove global_response_headers_disabled ignore_endpoint_case
      global_size_limit global_size_limit_disabled override_target
    `,
    'version_data.versions.*.paths': 'ignored white_list black_list',
    'version_data.versions.*.extended_paths.ignored': 'disabled path method ignore_case',
    'version_data.versions.*.extended_paths.ignored.method_actions.*': 'action code data headers',
    'version_data.versions.*.extended_paths.white_list': 'disabled path method ignore_case',
    'version_data.versions.*.extended_paths.white_list.method_actions.*': 'action code data headers',
    'version_data.versions.*.extended_paths.black_list': 'disabled path method ignore_case',
    'version_data.versions.*.extended_paths.black_list.method_actions.*': 'action code data headers',
    'version_data.versions.*.extended_paths.mock_response': 'disabled path method ignore_case code body headers',
    'version_data.versions.*.extended_paths': 'cache',
    'version_data.versions.*.extended_paths.persist_graphql': 'path method operation variables',
    'version_data.versions.*.extended_paths.advance_cache_config': `
      disabled path method cache_key_regex cache_response_codes timeout
    `,
    'version_data.versions.*.extended_paths.transform': 'disabled path method',
    'version_data.versions.*.extended_paths.transform.template_data': `
      input_type template_mode enable_session template_source
    `,
    'version_data.versions.*.extended_paths.transform_response': 'disabled path method',
    'version_data.versions.*.extended_paths.transform_response.template_data': `
      input_type template_mode enable_session template_source
    `,
    'version_data.versions.*.extended_paths.transform_headers': 'disabled path method delete_headers add_headers',
    'version_data.versions.*.extended_paths.transform_response_headers': `
      disabled path method delete_headers add_headers
    `,
    'version_data.versions.*.extended_paths.hard_timeouts': 'disabled path method timeout',
    'version_data.versions.*.extended_paths.circuit_breakers': `
      disabled path method threshold_percent samples return_to_service_after disable_half_open_state
    `,
    'version_data.versions.*.extended_paths.url_rewrites': 'disabled path method match_pattern rewrite_to',
    'version_data.versions.*.extended_paths.url_rewrites.triggers': 'on rewrite_to',
    'version_data.versions.*.extended_paths.url_rewrites.triggers.options.header_matches.*': 'match_rx reverse',
    'version_data.versions.*.extended_paths.url_rewrites.triggers.options.query_val_matches.*': 'match_rx reverse',
    'version_data.versions.*.extended_paths.url_rewrites.triggers.options.path_part_matches.*': 'match_rx reverse',
    'version_data.versions.*.extended_paths.url_rewrites.triggers.options.session_meta_matches.*': `
      match_rx reverse
    `,
    'version_data.versions.*.extended_paths.url_rewrites.triggers.options.request_context_matches.*': `
      match_rx reverse
    `,
    'version_data.versions.*.extended_paths.url_rewrites.triggers.options.payload_matches': 'match_rx reverse',
    'version_data.versions.*.extended_paths.virtual': `
      disabled path method response_function_name function_source_type function_source_uri proxy_on_error
      use_session
    `,
    'version_data.versions.*.extended_paths.size_limits': 'disabled path method size_limit',
    'version_data.versions.*.extended_paths.method_transforms': 'disabled path method to_method',
    'version_data.versions.*.extended_paths.track_endpoints': 'disabled path method',
    'version_data.versions.*.extended_paths.do_not_track_endpoints': 'disabled path method',
    'version_data.versions.*.extended_paths.validate_json': `
      disabled path method schema schema_b64 error_response_code
    `,
    'version_data.versions.*.extended_paths.internal': 'disabled path method',
    'version_data.versions.*.extended_paths.rate_limit': 'disabled path method rate per',
    uptime_tests: 'disabled',
    'uptime_tests.check_list': 'url method headers body timeout',
    proxy: `
      preserve_host_header listen_path target_url disable_strip_slash strip_listen_path enable_load_balancing
      target_list check_host_against_uptime_tests
    `,
    'proxy.service_discovery': `
      use_discovery_service query_endpoint use_nested_query parent_data_path data_path cache_disabled port_data_path
      target_path use_target_list cache_timeout endpoint_returns_list
    `,
    'proxy.transport': `
      ssl_insecure_skip_verify ssl_ciphers ssl_min_version ssl_max_version ssl_force_common_name_check proxy_url
    `,
    'custom_middleware.pre': 'name path disabled require_session',
    'custom_middleware.post_key_auth': 'name path disabled require_session',
    'custom_middleware.post': 'name path disabled require_session',
    'custom_middleware.response': 'name path disabled require_session',
    'custom_middleware.auth_check': 'name path disabled require_session',
    cache_options: `
      cache_timeout enable_cache cache_all_safe_requests cache_response_codes enable_upstream_cache_control
      cache_control_ttl_header cache_by_headers share_private target_headers
    `,
    'event_handlers.events.*': 'handler_name',
    'event_handlers.events.*.handler_meta': `
      method target_path template_path header_map event_timeout disabled name prefix path
    `,
    response_processors: 'name options',
    CORS: `
      enable allowed_origins allowed_methods allowed_headers exposed_headers allow_credentials max_age
      options_passthrough
    `,
    global_rate_limit: 'rate per disabled',
    upstream_auth: 'enabled',
    'upstream_auth.basic_auth': 'enabled username password',
    'upstream_auth.basic_auth.header': 'enabled name',
    'upstream_auth.oauth': 'enabled allowed_authorize_types',
    'upstream_auth.oauth.client_credentials': 'enabled client_id client_secret token_url scopes',
    'upstream_auth.oauth.client_credentials.header': 'enabled name',
    'upstream_auth.oauth.password': `
      enabled client_id client_secret token_url scopes username password
    `,
    'upstream_auth.oauth.password.header': 'enabled name',
    graphql: 'enabled version schema',
    'graphql.playground': 'enabled path',
    'graphql.proxy': 'request_headers',
    'graphql.proxy.features': 'use_immutable_headers',
    'graphql.proxy.request_headers_rewrite.*': 'value remove',
    'graphql.proxy.use_response_extensions': 'on_error_forwarding',
    'error_overrides.*.match': 'flag message_pattern body_field body_value',
    'error_overrides.*.response': 'status_code body message template headers',
  },
  {
    auth_provider: refused("keys come from the gateway's own storage only", {
      isUsedBy: namesOtherEngine,
      instead: 'remove it, and create the keys in this gateway',
    }),
    session_provider: ignored("sessions come from the gateway's own storage only", { isUsedBy: namesOtherEngine }),
    'version_data.versions.*.extended_paths.go_plugin': refused(
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
    'custom_middleware.driver': partly('otto; an API that names another driver rejects every request'),
  },
)

const shortPeriods = shortPeriodRows(
  ['global_rate_limit.per', 'version_data.versions.*.extended_paths.rate_limit.per'],
  true,
)
const rows = joinRows(unsupportedRows(definitionSupport, true), shortPeriods)

/** The unsupported fields that a definition uses. */
export function unsupportedInDefinition(document: Readonly<ClassicDefinition>): readonly Unsupported[] {
  return findUnsupported(rows, document)
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
