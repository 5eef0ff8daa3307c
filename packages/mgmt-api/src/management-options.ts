/** What the configuration decides for the management API. Source: docs/reference/configuration.md#configuration-keys. */
export interface ManagementOptions {
  /** Management key. Empty: every call is refused (docs/differences.md). */
  readonly secret: string
  /** Longest body that is read, in bytes; longer ones are answered 413. */
  readonly maxBodyBytes: number
  /** `health_check_endpoint_name`, without slash. */
  readonly livenessName: string
  /** `readiness_check_endpoint_name`, without slash. */
  readonly readinessName: string
  /** `health_check.enable_health_checks`: /svc/health answers. */
  readonly healthChecks: boolean
  /** `enable_hashed_keys_listing`. */
  readonly hashedKeysListing: boolean
  /** `use_db_app_configs`: definitions are a dashboard's matter. */
  readonly definitionsByDashboard: boolean
  /** `policies.policy_source` is `service`: policies are a dashboard's matter. */
  readonly policiesByService: boolean
  /** `allow_unsafe_policy_ids`. */
  readonly unsafePolicyIds: boolean
  /** `suppress_default_org_store`. */
  readonly suppressDefaultOrgStore: boolean
  /** `enable_config_inspection`: GET /config and GET /env. */
  readonly configInspection: boolean
  /** Where clients reach the gateway, without a path, for `servers` of OpenAPI documents. Default: as the call did. */
  readonly gatewayUrl?: string
  /** `docs.enabled`: the page at /svc/docs, readable without the management key. */
  readonly docs: boolean
}

/** Defaults of the configuration file, but for the secret: without one, every call is refused. */
export const defaultManagementOptions: ManagementOptions = {
  secret: '',
  maxBodyBytes: 10 * 1024 * 1024,
  livenessName: 'hello',
  readinessName: 'ready',
  healthChecks: false,
  hashedKeysListing: false,
  definitionsByDashboard: false,
  policiesByService: false,
  unsafePolicyIds: false,
  suppressDefaultOrgStore: false,
  configInspection: false,
  docs: false,
}
