import { readShape } from '@turnpike/core/lib'
import { describe, expect, it } from 'vitest'
import { checkDashboard } from './check-dashboard.ts'
import { configShape } from './config-shape.ts'

const notesOf = (dashboard: object) =>
  checkDashboard(readShape(configShape, { dashboard: { enabled: true, ...dashboard } }).value).map(
    ({ severity, path, reason }) => `${severity} ${path.slice(1).join('.')}: ${reason}`,
  )

const fine = { admin_secret: 'x', organisations: [{ id: 'acme' }] }

describe('the dashboard’s section', () => {
  it('says nothing where all is well, or where it is off', () => {
    expect(notesOf(fine)).toEqual([])
    expect(notesOf({ enabled: false, listen_port: -1 })).toEqual([])
  })

  it('reports why nobody could log in', () => {
    expect(notesOf({})).toEqual([
      'warning admin_secret: is empty, so that every admin call is rejected',
      'warning organisations: is empty, so that nobody can log in',
    ])
  })

  it('reports of people and groups that lead nowhere, and words that permit nothing', () => {
    const users = [{ id: 'u', org_id: 'other', group_id: 'g' }]
    const user_groups = [{ id: 'g', org_id: 'acme', user_permissions: { apis: 'all' } }]
    expect(notesOf({ ...fine, users, user_groups, sso_default_group_id: 'none', sso_nonce_lifetime: 600 })).toEqual([
      'warning sso_nonce_lifetime: 600 is not within 1 to 60; 60 is used',
      'warning sso_default_group_id: "none" is not a known group, so that users without one may do nothing',
      'warning user_groups.0.user_permissions.apis: "all" permits nothing',
      'warning users.0.org_id: "other" is not a known organisation',
      'warning users.0.group_id: "g" is no group of this organisation',
    ])
  })

  it('warns about the port of the APIs, unless it is on a loopback address', () => {
    const sharedAt = (listen_address: string) =>
      checkDashboard(
        readShape(configShape, { listen_address, dashboard: { ...fine, enabled: true, listen_port: 0 } }).value,
      ).map(({ severity, path }) => `${severity} ${path.join('.')}`)
    expect(sharedAt('0.0.0.0')).toEqual(['warning dashboard.listen_port'])
    expect(sharedAt('127.0.0.1')).toEqual([])
  })

  it('rejects a value that is not a TCP port', () => {
    expect(notesOf({ ...fine, listen_port: 70_000 })).toEqual(['error listen_port: 70000 is not a port'])
  })
})
