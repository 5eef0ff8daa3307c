/** Checks the section `dashboard` for settings that prevent logins or grant unintended rights. */
import { makeNote, type Note, type Report } from '@turnpike/core/definition'
import type { JsonPath } from '@turnpike/core/lib'
import type { GatewayConfig } from './config-shape.ts'
import { sharesDashboardPort } from './dashboard-port.ts'
import { isLoopback } from './loopback.ts'

const words = ['read', 'write', 'deny', 'admin']

/** Returns no findings if the dashboard is disabled. */
export function checkDashboard(config: Pick<GatewayConfig, 'dashboard' | 'listenAddress' | 'listenPort'>): Note[] {
  const { dashboard } = config
  if (!dashboard.enabled) return []
  const notes: Note[] = []
  const warn: Report = (id, path, ...values) => {
    notes.push(makeNote(id, ['dashboard', ...path], ...values))
  }
  const organisations = dashboard.organisations ?? []
  const groups = dashboard.userGroups ?? []
  const knowsOrganisation = (id: string) => organisations.some((one) => one.id === id)
  const unknownOrganisation = (path: JsonPath, id: string) =>
    knowsOrganisation(id) || warn('dashboard-unknown-organisation', path, { id })
  const checkWords = (path: JsonPath, permissions: Readonly<Record<string, string>> | null) => {
    for (const [area, word] of Object.entries(permissions ?? {})) {
      if (!words.includes(word)) warn('dashboard-unknown-permission', [...path, area], { word })
    }
  }

  const { listenPort, ssoNonceLifetime: life, ssoDefaultGroupId } = dashboard
  if (listenPort < 0 || listenPort > 65_535) {
    warn('out-of-range', ['listen_port'], { problem: `${listenPort} is not a port`, fix: 'ports are 0 to 65535' })
  }
  // On a loopback address, as `init` writes it, the gateway serves a development machine.
  if (sharesDashboardPort(config) && !isLoopback(config.listenAddress)) warn('dashboard-shared-port', ['listen_port'])
  if (dashboard.adminSecret === '') {
    warn('dashboard-empty-secret', ['admin_secret'])
  }
  if (organisations.length === 0) {
    warn('dashboard-without-organisation', ['organisations'])
  }
  if (life < 1 || life > 60) {
    warn('dashboard-nonce-lifetime', ['sso_nonce_lifetime'], { life })
  }
  if (ssoDefaultGroupId !== '' && !groups.some(({ id }) => id === ssoDefaultGroupId)) {
    const problem = `"${ssoDefaultGroupId}" is not a known group, so that users without one may do nothing`
    warn('dashboard-unknown-group', ['sso_default_group_id'], { problem })
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
      const problem = `"${groupId}" is no group of this organisation`
      warn('dashboard-unknown-group', ['users', i, 'group_id'], { problem })
    }
  }
  checkWords(['sso_permission_defaults'], dashboard.ssoPermissionDefaults)
  return notes
}
