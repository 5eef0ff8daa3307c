/** What the fields of keys and policies mean. Sources: docs/reference/sessions.md, docs/reference/policies.md. */

const limits = {
  rate: 'Number of requests in `per` seconds; 0: no rate limit.',
  per: 'Number of seconds of the rate limit.',
  quota_max: 'Number of requests in a quota period; 0 or less: no quota.',
  quota_renewal_rate: 'Length of a quota period in seconds; 0: the quota never renews.',
  throttle_interval: 'Seconds between two attempts of a throttled request; -1: rejected at once.',
  throttle_retry_limit: 'Number of attempts of a throttled request.',
  max_query_depth: 'Depth of GraphQL queries; -1: no limit.',
  smoothing: 'Raises and lowers the rate in steps.',
}

const smoothing = {
  'smoothing.enabled': 'Switches smoothing on.',
  'smoothing.threshold': 'Lowest allowance, with which the key begins: requests in `per` seconds.',
  'smoothing.trigger': 'Share of a step that is left when the allowance rises or falls.',
  'smoothing.step': 'Number of requests by which the allowance changes.',
  'smoothing.delay': 'Seconds between two changes.',
}

const counters = {
  quota_renews: 'Moment at which the quota renews, in seconds since 1970.',
  quota_remaining: 'Requests that are left in the quota period.',
}

const rights = {
  access_rights: 'The APIs that may be used, by API id.',
  'access_rights.*.api_id': 'Id of the API, the same as the name of the entry.',
  'access_rights.*.api_name': 'Name of the API; informative.',
  'access_rights.*.versions': 'Versions that may be used. Empty: all.',
  'access_rights.*.allowed_urls': 'Paths and methods that may be used. Empty: all.',
  'access_rights.*.allowed_urls.url': 'Regular expression that is searched in the whole path.',
  'access_rights.*.allowed_urls.methods': 'Methods that may be used.',
  'access_rights.*.endpoints.path': 'Path of the endpoint, without the listen path.',
  'access_rights.*.endpoints.methods': 'Rates by method.',
  'access_rights.*.endpoints.methods.name': 'The method.',
  'access_rights.*.endpoints.methods.limit.rate': 'Number of requests in `per` seconds; 0: no rate limit.',
  'access_rights.*.endpoints.methods.limit.per': 'Number of seconds of the rate limit.',
  'access_rights.*.json_rpc_methods': 'MCP proxies: rates of single methods.',
  'access_rights.*.json_rpc_methods_access_rights': 'MCP proxies: methods that may be used.',
  'access_rights.*.mcp_primitives': 'MCP proxies: rates of single tools, resources and prompts.',
  'access_rights.*.mcp_access_rights': 'MCP proxies: tools, resources and prompts that may be used.',
  'access_rights.*.limit': 'Limits of this API, instead of those of the key.',
  'access_rights.*.endpoints': 'Rates of single paths and methods.',
  'access_rights.*.allowance_scope': 'Name of the counters of this entry, set by the gateway.',
  'access_rights.*.disable_introspection': 'Rejects GraphQL introspection.',
  'access_rights.*.restricted_types': 'GraphQL fields that may not be used.',
  'access_rights.*.allowed_types': 'GraphQL fields that may be used.',
  'access_rights.*.field_access_rights': 'Limits of GraphQL fields.',
  ...Object.fromEntries(
    Object.entries({ ...limits, ...smoothing, ...counters }).map(([name, text]) => [
      `access_rights.*.limit.${name}`,
      text,
    ]),
  ),
}

const common = {
  org_id: 'Organisation; it must be that of the APIs.',
  is_inactive: 'Requests are rejected.',
  tags: 'Tags of analytics records.',
  meta_data: 'Values for variables such as $svc_meta.NAME.',
  hmac_enabled: 'The key can sign requests (HMAC).',
  enable_http_signature_validation: 'The key can sign requests with a certificate.',
  last_updated: 'Moment of the last change, set by the gateway.',
  post_expiry_action: 'What happens to a session after `expires`: delete or retain.',
  post_expiry_grace_period: 'Seconds for which an expired session is retained; -1: for ever.',
}

export const sessionDescriptions: Readonly<Record<string, string>> = {
  ...limits,
  ...smoothing,
  ...counters,
  ...rights,
  ...common,
  alias: 'Name of the key in lists and records.',
  expires: 'Moment in seconds since 1970 after which the key is rejected; 0: never.',
  apply_policies: 'Ids of the policies of the key.',
  apply_policy_id: 'Id of one policy; use apply_policies.',
  basic_auth_data: 'Password of a user of basic authentication.',
  oauth_keys: 'Token that the key has at each OAuth client, by client id.',
  mtls_static_certificate_bindings: 'Ids of client certificates. A request must present one of them.',
  enable_detail_recording: 'Older form of enable_detailed_recording.',
  'basic_auth_data.hash_type': 'Function that hashed the password, set by the gateway.',
  'jwt_data.secret': 'The secret.',
  'monitor.trigger_limits': 'Percentages of the quota at which an event is fired, such as 80.',
  'basic_auth_data.password': 'The password; it is stored as a hash.',
  jwt_data: 'Secret of JSON web tokens that name the key.',
  hmac_string: 'Secret of HMAC signatures.',
  rsa_certificate_id: 'Certificate that verifies signatures.',
  certificate: 'Certificate that can replace the key.',
  oauth_client_id: 'OAuth client that the key belongs to.',
  enable_detailed_recording: 'Analytics records contain requests and responses.',
  data_expires: 'Seconds for which analytics records are kept.',
  session_lifetime: 'Seconds for which the session is stored.',
  monitor: 'Shares of the quota, in percent, at which an event is fired.',
  date_created: 'Moment of creation, set by the gateway.',
}

export const policyDescriptions: Readonly<Record<string, string>> = {
  ...limits,
  ...smoothing,
  ...rights,
  ...common,
  _id: 'Id in a database; counts if `id` is missing.',
  id: 'Id of the policy. In a file of several policies, the name of the entry counts.',
  name: 'Display name.',
  key_expires_in: 'Seconds after which a new key with this policy expires; 0: never.',
  partitions: 'Which fields the policy sets. None is set: all fields.',
  'partitions.quota': 'Sets the quota.',
  'partitions.rate_limit': 'Sets the rate.',
  'partitions.acl': 'Sets the access rights.',
  'partitions.complexity': 'Sets the depth of queries.',
  'partitions.per_api': 'Sets the limits of each API; goes with no other partition.',
}
