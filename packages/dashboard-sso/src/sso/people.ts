/** Who is known: organisations, users and groups of the configuration. */
import type { DashboardOptions, Organisation, User, UserGroup } from '../dashboard-options.ts'

/** An empty id is nobody's. */
export function findOrganisation({ organisations }: DashboardOptions, id: string): Organisation | undefined {
  return id === '' ? undefined : organisations.find((one) => one.id === id)
}

/** A group of this organisation; those of others are unknown to it. */
export function findGroup({ userGroups }: DashboardOptions, orgId: string, id: string): UserGroup | undefined {
  return id === '' ? undefined : userGroups.find((one) => one.id === id && one.orgId === orgId)
}

/** A user of this organisation by address, compared without case; an active one is preferred. */
export function findUser({ users }: DashboardOptions, orgId: string, address: string): User | undefined {
  const wanted = address.toLowerCase()
  const found = users.filter((one) => one.orgId === orgId && one.emailAddress.toLowerCase() === wanted)
  return found.find((one) => one.active) ?? found[0]
}
