/** What the configuration's section `dashboard` decides. Source: docs/reference/dashboard-sso.md#dashboard-configuration. */

/** Whether session cookies have the attribute `Secure`; `auto`: if the browser uses HTTPS. */
export type SecureCookie = 'auto' | 'always' | 'never'

/** Areas (`apis`, `keys`, …) to `read`, `write` or `deny`; `IsAdmin` to `admin` for everything. */
export type Permissions = Readonly<Record<string, string>>

export interface Organisation {
  readonly id: string
  readonly ownerName: string
}

export interface User {
  readonly id: string
  readonly emailAddress: string
  readonly orgId: string
  readonly active: boolean
  /** Empty: none. */
  readonly groupId: string
  /** Absent or empty: those of the group. */
  readonly userPermissions: Permissions | null
}

export interface UserGroup {
  readonly id: string
  readonly orgId: string
  readonly name: string
  readonly userPermissions: Permissions | null
}

export interface DashboardOptions {
  /** Required in `Admin-Auth`. Empty: every admin call is rejected. */
  readonly adminSecret: string
  readonly organisations: readonly Organisation[]
  readonly users: readonly User[]
  readonly userGroups: readonly UserGroup[]
  /** Where a new session of the dashboard is sent; the page is served there. */
  readonly homePath: string
  /** Where a new session of the portal is sent. The dashboard does not serve its pages. */
  readonly portalHomePath: string
  /** Lifetime of a session in seconds. */
  readonly dashboardSessionLifetime: number
  /** Lifetime of a session of the portal in seconds. */
  readonly portalSessionLifetime: number
  /** Permissions of users without a group. Absent or empty: they are administrators. */
  readonly ssoPermissionDefaults: Permissions | null
  /** Group of users without one. Empty: none. */
  readonly ssoDefaultGroupId: string
  /** Uses the registered user of the same address. */
  readonly ssoEnableUserLookup: boolean
  /** Where failed logins are sent. Empty: the dashboard responds itself. */
  readonly ssoCustomLoginErrorUrl: string
  /** Lifetime of a token in seconds, 1 to 60; other values mean 60. */
  readonly ssoNonceLifetime: number
  readonly secureCookie: SecureCookie
  /** Whether users may write APIs that take part in those of other organisations. Default: false. */
  readonly sharedPaths?: boolean
}
