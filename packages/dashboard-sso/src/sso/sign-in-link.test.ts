import { describe, expect, it } from 'vitest'
import { makeTestDashboard } from '../../test/test-dashboard.ts'
import { isLoopbackAddress } from './sign-in-link.ts'

const loopback = { address: '127.0.0.1' }

describe('a sign-in link', () => {
  it('signs in once, as an administrator of the first organisation', async () => {
    const { dashboard, call } = await makeTestDashboard()
    const path = (await dashboard.signInPath()) ?? ''
    const first = await call('GET', path, loopback)
    expect(first.status).toBe(302)
    const Cookie = (first.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const session = await call('GET', '/api/session', { headers: { Cookie } })
    expect((await session.json()).Meta).toMatchObject({
      ...{ OrgID: 'org1', DisplayName: 'Developer', Section: 'dashboard', Temporary: true },
      Permissions: { IsAdmin: 'admin' },
    })
    expect((await call('GET', path, loopback)).status).toBe(401)
  })

  it('has the permissions of users without a group', async () => {
    const options = { ssoPermissionDefaults: { apis: 'read' }, ssoEnableUserLookup: true }
    const { dashboard, call } = await makeTestDashboard({ options })
    const response = await call('GET', (await dashboard.signInPath()) ?? '', loopback)
    const Cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const session = await call('GET', '/api/session', { headers: { Cookie } })
    expect((await session.json()).Meta.Permissions).toEqual({ apis: 'read' })
  })

  it('works for ten minutes', async () => {
    const { dashboard, call, clock } = await makeTestDashboard()
    const [early, late] = [(await dashboard.signInPath()) ?? '', (await dashboard.signInPath()) ?? '']
    clock.advance(9 * 60_000)
    expect((await call('GET', early, loopback)).status).toBe(302)
    clock.advance(60_001)
    expect((await call('GET', late, loopback)).status).toBe(401)
  })

  it('does not work from another machine, and is used up by the attempt', async () => {
    const { dashboard, call } = await makeTestDashboard()
    const path = (await dashboard.signInPath()) ?? ''
    expect((await call('GET', path, { address: '192.0.2.7' })).status).toBe(401)
    expect((await call('GET', path, loopback)).status).toBe(401)
  })

  it('does not exist without an organisation, and is in no log', async () => {
    const nobody = await makeTestDashboard({ options: { organisations: [] } })
    expect(await nobody.dashboard.signInPath()).toBeUndefined()
    const { dashboard, call, log } = await makeTestDashboard()
    const path = (await dashboard.signInPath()) ?? ''
    await call('GET', path, loopback)
    await call('GET', path, loopback)
    expect(JSON.stringify(log.lines)).not.toContain(decodeURIComponent(path.split('=')[1] ?? '-'))
  })

  it.each([
    ['127.0.0.1', true],
    ['127.9.8.7', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['128.0.0.1', false],
    ['127.0.0.1.example', false],
    ['', false],
  ])('takes %s for loopback: %s', (address, expected) => {
    expect(isLoopbackAddress(address)).toBe(expected)
  })
})
