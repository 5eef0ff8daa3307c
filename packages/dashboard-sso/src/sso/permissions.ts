/** The permissions of a user, and where they come from. Source: docs/reference/dashboard-sso.md#login-permissions. */
import type { DashboardOptions, Permissions, User } from '../dashboard-options.ts'
import { findGroup } from './people.ts'

const administrator: Permissions = { IsAdmin: 'admin' }
/** Areas without an entry are not permitted. */
const nothing: Permissions = {}

/** From weak to strong. Unknown words are weaker than all of them. */
const strengths = ['deny', 'read', 'write', 'admin']

/** Permissions of a registered user: the user's own, otherwise those of the group. */
export function permissionsOf(user: User, options: DashboardOptions): Permissions {
  if (hasAny(user.userPermissions)) return user.userPermissions
  return findGroup(options, user.orgId, user.groupId)?.userPermissions ?? nothing
}

/**
 * Permissions of a temporary user. A group that is named but gone opens nothing: falling through to the administrator
 * would make a removed group stronger than a present one.
 */
export function temporaryPermissions(
  orgId: string,
  groupIds: readonly string[],
  options: DashboardOptions,
): Permissions {
  if (groupIds.length > 0) return strongestOf(groupIds.map((id) => findGroup(options, orgId, id)?.userPermissions))
  const { ssoDefaultGroupId, ssoPermissionDefaults } = options
  const byDefault = findGroup(options, orgId, ssoDefaultGroupId)
  if (byDefault !== undefined) return byDefault.userPermissions ?? nothing
  if (hasAny(ssoPermissionDefaults)) return ssoPermissionDefaults
  return ssoDefaultGroupId === '' ? administrator : nothing
}

/** Returns true if the permissions allow to read or write the area. */
export function allows(permissions: Permissions, area: string, need: 'read' | 'write'): boolean {
  if (ownValue(permissions, 'IsAdmin') === 'admin') return true
  const given = strengthOf(ownValue(permissions, area))
  return given >= strengthOf(need)
}

function strongestOf(all: readonly (Permissions | null | undefined)[]): Permissions {
  const strongest = new Map<string, string>()
  for (const [area, word] of all.flatMap((one) => Object.entries(one ?? nothing))) {
    const held = strongest.get(area)
    if (held === undefined || strengthOf(word) > strengthOf(held)) strongest.set(area, word)
  }
  return Object.fromEntries(strongest)
}

function hasAny(permissions: Permissions | null): permissions is Permissions {
  return permissions !== null && Object.keys(permissions).length > 0
}

function ownValue(permissions: Permissions, name: string): string | undefined {
  return Object.hasOwn(permissions, name) ? permissions[name] : undefined
}

function strengthOf(word: string | undefined): number {
  return word === undefined ? -1 : strengths.indexOf(word)
}
