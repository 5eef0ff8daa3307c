/** Configuration of the management API. Source: docs/reference/configuration.md#configuration-keys. */
export interface ManagementOptions {
  /** Management key. Empty: every call is rejected (docs/differences.md). */
  readonly secret: string
  /** Largest body in bytes; larger ones get 413. */
  readonly maxBodyBytes: number
  /** `health_check_endpoint_name`, without slash. */
  readonly livenessName: string
  /** `readiness_check_endpoint_name`, without slash. */
  readonly readinessName: string
  /** `health_check.enable_health_checks`: serves /svc/health. */
  readonly healthChecks: boolean
  /** `enable_hashed_keys_listing`. */
  readonly hashedKeysListing: boolean
  /** `use_db_app_configs`: a dashboard manages the definitions. */
  readonly definitionsByDashboard: boolean
  /** `policies.policy_source` is `service`: a dashboard manages the policies. */
  readonly policiesByService: boolean
  /** `allow_unsafe_policy_ids`. */
  readonly unsafePolicyIds: boolean
  /** `suppress_default_org_store`. */
  readonly suppressDefaultOrgStore: boolean
  /** `enable_config_inspection`: GET /config and GET /env. */
  readonly configInspection: boolean
  /** Public address of the gateway without path, for `servers` of OpenAPI documents. Default: the address of the call. */
  readonly gatewayUrl?: string
  /** `docs.enabled`: the page at /svc/docs, readable without the management key. */
  readonly docs: boolean
}

/** Defaults of the configuration file. The secret is empty, so every call is rejected. */
export const defaultManagementOptions: ManagementOptions = {
  secret: '',
  maxBodyBytes: 16 * 1024 * 1024,
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
