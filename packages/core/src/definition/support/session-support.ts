/** Support status of the fields of keys and policies. docs/reference/support.md is generated from it. */
import {
  ignored,
  joinRows,
  makeSupportTable,
  type SupportTable,
  shortPeriodRows,
  stored,
  unsupportedRows,
} from './support.ts'

const graphqlRights = {
  'access_rights.*.restricted_types': 'name fields',
  'access_rights.*.allowed_types': 'name fields',
  'access_rights.*.field_access_rights': 'type_name field_name',
  'access_rights.*.field_access_rights.limits': 'max_query_depth',
}

const mcpRights = {
  'access_rights.*.json_rpc_methods': 'name',
  'access_rights.*.json_rpc_methods.limit': 'rate per',
  'access_rights.*.json_rpc_methods_access_rights': 'allowed blocked',
  'access_rights.*.mcp_primitives': 'type name',
  'access_rights.*.mcp_primitives.limit': 'rate per',
  'access_rights.*.mcp_access_rights.tools': 'allowed blocked',
  'access_rights.*.mcp_access_rights.resources': 'allowed blocked',
  'access_rights.*.mcp_access_rights.prompts': 'allowed blocked',
}

export const sessionSupport: SupportTable = makeSupportTable(
  {
    '': `
      rate per throttle_interval throttle_retry_limit max_query_depth date_created expires quota_max quota_renews
      quota_remaining quota_renewal_rate org_id oauth_client_id oauth_keys certificate
      mtls_static_certificate_bindings hmac_enabled hmac_string enable_http_signature_validation rsa_certificate_id
      is_inactive apply_policy_id apply_policies data_expires enable_detail_recording enable_detailed_recording
      meta_data tags alias last_updated session_lifetime post_expiry_action post_expiry_grace_period
    `,
    'access_rights.*': `
      api_name api_id versions disable_introspection allowance_scope
    `,
    ...graphqlRights,
    ...mcpRights,
    'access_rights.*.allowed_urls': 'url methods',
    'access_rights.*.limit': `
      rate per throttle_interval throttle_retry_limit max_query_depth quota_max quota_renews quota_remaining
      quota_renewal_rate
    `,
    'access_rights.*.limit.smoothing': 'enabled threshold trigger step delay',
    'access_rights.*.endpoints': 'path',
    'access_rights.*.endpoints.methods': 'name',
    'access_rights.*.endpoints.methods.limit': 'rate per',
    basic_auth_data: 'password hash_type',
    jwt_data: 'secret',
    monitor: 'trigger_limits',
    smoothing: 'enabled threshold trigger step delay',
  },
  {
    last_check: stored(),
    allowance: stored(),
    id_extractor_deadline: stored(),
  },
)

export const policySupport: SupportTable = makeSupportTable(
  {
    '': `
      _id id name org_id rate per quota_max quota_renewal_rate throttle_interval throttle_retry_limit
      max_query_depth hmac_enabled enable_http_signature_validation is_inactive tags key_expires_in last_updated
      meta_data post_expiry_action post_expiry_grace_period
    `,
    'access_rights.*': `
      api_name api_id versions disable_introspection allowance_scope
    `,
    ...graphqlRights,
    ...mcpRights,
    'access_rights.*.allowed_urls': 'url methods',
    'access_rights.*.limit': `
      rate per throttle_interval throttle_retry_limit max_query_depth quota_max quota_renews quota_remaining
      quota_renewal_rate
    `,
    'access_rights.*.limit.smoothing': 'enabled threshold trigger step delay',
    'access_rights.*.endpoints': 'path',
    'access_rights.*.endpoints.methods': 'name',
    'access_rights.*.endpoints.methods.limit': 'rate per',
    partitions: 'quota rate_limit complexity acl per_api',
    smoothing: 'enabled threshold trigger step delay',
  },
  {
    active: stored('use is_inactive'),
    graphql_access_rights: ignored('limits of GraphQL belong to one API', {
      changesRequests: true,
      instead: 'set the limits in access_rights',
    }),
  },
)

const shortPeriods = shortPeriodRows(
  [
    'per',
    'access_rights.*.limit.per',
    'access_rights.*.endpoints.methods.limit.per',
    'access_rights.*.json_rpc_methods.limit.per',
    'access_rights.*.mcp_primitives.limit.per',
  ],
  true,
)

/** For policies as `policyShape` reads them. */
export const unsupportedInPolicies = joinRows(unsupportedRows(policySupport, true), shortPeriods)

/** For sessions as `sessionShape` reads them. */
export const unsupportedInSessions = joinRows(unsupportedRows(sessionSupport, true), shortPeriods)
