/** Checks the section `dashboard` for settings that prevent logins or grant unintended rights. */
import type { JsonPath } from '@turnpike/core/lib'
import { type ConfigNote, error, warning } from './config-note.ts'
import type { GatewayConfig } from './config-shape.ts'

const words = ['read', 'write', 'deny', 'admin']

/** Returns no findings if the dashboard is disabled. */
export function checkDashboard({ dashboard }: Pick<GatewayConfig, 'dashboard'>): ConfigNote[] {
  if (!dashboard.enabled) return []
  const notes: ConfigNote[] = []
  const warn = (path: JsonPath, reason: string, fix: string) => notes.push(warning(['dashboard', ...path], reason, fix))
  const organisations = dashboard.organisations ?? []
  const groups = dashboard.userGroups ?? []
  const knowsOrganisation = (id: string) => organisations.some((one) => one.id === id)
  const unknownOrganisation = (path: JsonPath, id: string) =>
    knowsOrganisation(id) || warn(path, `"${id}" is not a known organisation`, 'name it in dashboard.organisations')
  const checkWords = (path: JsonPath, permissions: Readonly<Record<string, string>> | null) => {
    for (const [area, word] of Object.entries(permissions ?? {})) {
      if (!words.includes(word)) warn([...path, area], `"${word}" permits nothing`, 'use "read", "write" or "deny"')
    }
  }

  const { listenPort, ssoNonceLifetime: life, ssoDefaultGroupId } = dashboard
  if (listenPort < 0 || listenPort > 65_535) {
    notes.push(error(['dashboard', 'listen_port'], `${listenPort} is not a port`, 'ports are 0 to 65535'))
  }
  if (dashboard.adminSecret === '') {
    warn(['admin_secret'], 'is empty, so that every admin call is rejected', 'set a long random text')
  }
  if (organisations.length === 0) {
    warn(['organisations'], 'is empty, so that nobody can log in', 'name the organisations of your APIs: [{"id":"…"}]')
  }
  if (life < 1 || life > 60) {
    warn(['sso_nonce_lifetime'], `${life} is not within 1 to 60; 60 is used`, 'leave it out, or use 1 to 60')
  }
  if (ssoDefaultGroupId !== '' && !groups.some(({ id }) => id === ssoDefaultGroupId)) {
    const reason = `"${ssoDefaultGroupId}" is not a known group, so that users without one may do nothing`
    warn(['sso_default_group_id'], reason, 'name it in dashboard.user_groups')
  }
  for (const [i, group] of groups.entries()) {
    unknownOrganisation(['user_groups', i, 'org_id'], group.orgId)
    checkWords(['user_groups', i, 'user_permissions'], group.userPermissions)
  }
  for (const [i, user] of (dashboard.users ?? []).entries()) {
    unknownOrganisation(['users', i, 'org_id'], user.orgId)
    checkWords(['users', i, 'user_permissions'], user.userPermissions)
    const { groupId } = user
    if (groupId !== '' && !groups.some((group) => group.id === groupId && group.orgId === user.orgId)) {
      const reason = `"${groupId}" is no group of this organisation`
      warn(['users', i, 'group_id'], reason, 'name it in dashboard.user_groups')
    }
  }
  checkWords(['sso_permission_defaults'], dashboard.ssoPermissionDefaults)
  return notes
}
