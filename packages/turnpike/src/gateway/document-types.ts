/**
 * Types of definitions, policies, sessions and configurations with the field names of the file formats. The common
 * fields are declared for editor completion. Other fields are allowed and are checked when the document is read.
 */

/** One API, as in a definition file. Source: docs/reference/api-definition.md#api-definition. */
export interface DefinitionDocument {
  readonly api_id: string
  readonly name?: string
  readonly org_id?: string
  readonly use_keyless?: boolean
  readonly use_standard_auth?: boolean
  readonly auth?: { readonly auth_header_name?: string; readonly [field: string]: unknown }
  readonly version_data?: {
    readonly not_versioned?: boolean
    readonly default_version?: string
    readonly versions?: Readonly<Record<string, { readonly name: string; readonly [field: string]: unknown }>>
  }
  readonly proxy: {
    readonly listen_path: string
    readonly target_url: string
    /** Removes the listen path from the path that the upstream receives. Default: false. */
    readonly strip_listen_path?: boolean
    readonly [field: string]: unknown
  }
  readonly global_rate_limit?: { readonly rate: number; readonly per: number; readonly disabled?: boolean }
  readonly [field: string]: unknown
}

/** The access rights of a key or a policy, by API id. */
export type AccessRightsDocument = Readonly<
  Record<
    string,
    {
      readonly api_id?: string
      readonly api_name?: string
      readonly versions?: readonly string[]
      readonly allowed_urls?: readonly { readonly url: string; readonly methods: readonly string[] }[]
      readonly limit?: LimitsDocument
      readonly [field: string]: unknown
    }
  >
>

/** Rate (`rate` requests in `per` seconds) and quota (`quota_max` requests in `quota_renewal_rate` seconds). */
export interface LimitsDocument {
  readonly rate?: number
  readonly per?: number
  readonly quota_max?: number
  readonly quota_renewal_rate?: number
}

/** One policy. Source: docs/reference/policies.md#policy-fields. */
export interface PolicyDocument extends LimitsDocument {
  readonly id?: string
  readonly name?: string
  readonly org_id?: string
  readonly access_rights?: AccessRightsDocument
  readonly partitions?: {
    readonly acl?: boolean
    readonly quota?: boolean
    readonly rate_limit?: boolean
    readonly per_api?: boolean
    readonly complexity?: boolean
  }
  readonly [field: string]: unknown
}

/** The session of a key. Source: docs/reference/sessions.md#session-fields. */
export interface SessionDocument extends LimitsDocument {
  readonly org_id?: string
  readonly alias?: string
  readonly apply_policies?: readonly string[]
  readonly access_rights?: AccessRightsDocument
  /** Unix time in seconds; 0 means never. */
  readonly expires?: number
  readonly is_inactive?: boolean
  readonly tags?: readonly string[]
  readonly meta_data?: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

/** A gateway configuration. Source: docs/reference/configuration.md#configuration-keys. */
export type ConfigDocument = Readonly<Record<string, unknown>>
