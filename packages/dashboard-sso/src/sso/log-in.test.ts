import { describe, expect, it } from 'vitest'
import { makeTestDashboard, testOptions } from '../../test/test-dashboard.ts'

interface Told {
  readonly Meta: { readonly UserID: string; readonly Permissions: object; readonly Temporary: boolean }
}

async function sessionFor(payload: object, options = {}): Promise<Told['Meta']> {
  const { signOn, call } = await makeTestDashboard({ options })
  const response = await call('GET', '/api/session', { headers: { Cookie: await signOn(payload) } })
  return ((await response.json()) as Told).Meta
}

describe('a login', () => {
  it('sets a new cookie, regardless of the cookie of the browser, and redirects to the start page', async () => {
    const { call, token } = await makeTestDashboard()
    const headers = { Cookie: 'authorisation=planted-by-somebody' }
    const response = await call('GET', `/tap?nonce=${await token()}`, { headers })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('/')
    expect(response.headers.get('set-cookie')).toMatch(
      /^authorisation=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/,
    )
    expect((await call('GET', '/api/session', { headers })).status).toBe(401)
  })

  it('marks the cookie as secure behind TLS', async () => {
    const { call, token } = await makeTestDashboard()
    const response = await call('GET', `/tap?nonce=${await token()}`, { origin: 'https://gateway.test' })
    expect(response.headers.get('set-cookie')).toMatch(/; SameSite=Lax; Secure$/)
  })

  it.each([
    ['auto', 'http', /Lax$/],
    ['auto', 'https, http', /; Secure$/],
    ['always', 'http', /; Secure$/],
    ['never', 'https', /Lax$/],
  ] as const)('marks the cookie by the public scheme: %s behind %s', async (secureCookie, scheme, ending) => {
    const { call, token } = await makeTestDashboard({ options: { secureCookie } })
    const response = await call('GET', `/tap?nonce=${await token()}`, { headers: { 'x-forwarded-proto': scheme } })
    expect(response.headers.get('set-cookie')).toMatch(ending)
  })

  it('is not done by HEAD, and leaves the token', async () => {
    const { call, token } = await makeTestDashboard()
    const path = `/tap?nonce=${await token()}`
    expect((await call('HEAD', path)).status).toBe(405)
    expect((await call('GET', path)).status).toBe(302)
  })

  it('of many at once with one token, one succeeds', async () => {
    const { call, token } = await makeTestDashboard()
    const path = `/tap?nonce=${await token()}`
    const all = await Promise.all(Array.from({ length: 20 }, () => call('GET', path)))
    expect(all.map(({ status }) => status).sort()).toEqual([302, ...Array(19).fill(401)])
  })

  it('answers unknown, expired and spent tokens alike', async () => {
    const { call, token, clock } = await makeTestDashboard()
    const [spent, expired] = [await token(), await token()]
    await call('GET', `/tap?nonce=${spent}`)
    clock.advance(60_000)
    const bodies = []
    for (const nonce of [spent, expired, 'nonsense', '', 'x'.repeat(129)]) {
      const response = await call('GET', `/tap?nonce=${nonce}`)
      bodies.push(`${response.status} ${await response.text()} ${JSON.stringify([...response.headers])}`)
    }
    expect(new Set(bodies).size).toBe(1)
    expect(bodies[0]).toMatch(/^401 /)
  })

  it('fails when the organisation or the user was removed meanwhile', async () => {
    const shared = await makeTestDashboard()
    const around = { records: () => shared.records }
    const gone = await makeTestDashboard({ ...around, options: { organisations: [{ id: 'org2', ownerName: '' }] } })
    expect((await gone.call('GET', `/tap?nonce=${await shared.token()}`)).status).toBe(401)
    const only = { EmailAddress: 'anna@one.example', SSOOnlyForRegisteredUsers: true }
    const nobody = await makeTestDashboard({ ...around, options: { users: [] } })
    expect((await nobody.call('GET', `/tap?nonce=${await shared.token(only)}`)).status).toBe(403)
  })

  it('adds its failure to the query of the error address', async () => {
    const url = 'https://login.example/failed?from=gateway#top'
    const { call } = await makeTestDashboard({ options: { ssoCustomLoginErrorUrl: url } })
    const response = await call('GET', '/tap?nonce=x')
    expect(response.headers.get('location')).toBe('https://login.example/failed?from=gateway&error=invalid#top')
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  it('is invalid while the store is away, and /api/session is 401', async () => {
    const away = () => Promise.reject(new Error('away'))
    const { call, token } = await makeTestDashboard({ records: () => ({ take: away, get: away }) })
    expect((await call('GET', `/tap?nonce=${await token()}`)).status).toBe(401)
    expect((await call('GET', '/api/session', { headers: { Cookie: 'authorisation=x' } })).status).toBe(401)
  })
})

describe('permissions of a session', () => {
  it.each([
    ['administrator without anything', {}, {}, { IsAdmin: 'admin' }],
    ['those of the defaults', {}, { ssoPermissionDefaults: { apis: 'read' } }, { apis: 'read' }],
    ['those of the default group', {}, { ssoDefaultGroupId: 'g-keys' }, { keys: 'write', apis: 'deny' }],
    [
      'the strongest of several groups',
      { GroupID: 'g-read', GroupsIDs: ['g-keys'] },
      {},
      { apis: 'read', keys: 'write' },
    ],
    ['none by a missing default group', {}, { ssoDefaultGroupId: 'g-gone' }, {}],
    [
      'those of the found user’s group',
      { EmailAddress: 'GROUP@one.example' },
      { ssoEnableUserLookup: true },
      { apis: 'read', keys: 'deny' },
    ],
    [
      'those of the found user, not of the groups asked for',
      { EmailAddress: 'anna@one.example', GroupID: 'g-keys' },
      { ssoEnableUserLookup: true },
      { apis: 'write' },
    ],
  ])('are %s', async (_, payload, options, permissions) => {
    expect((await sessionFor(payload, options)).Permissions).toEqual(permissions)
  })

  it('are none when the groups asked for were removed meanwhile', async () => {
    const shared = await makeTestDashboard()
    const later = await makeTestDashboard({ records: () => shared.records, options: { userGroups: [] } })
    const response = await later.call('GET', `/tap?nonce=${await shared.token({ GroupID: 'g-read' })}`)
    const Cookie = response.headers.get('set-cookie') ?? ''
    const told = (await (await later.call('GET', '/api/session', { headers: { Cookie } })).json()) as Told
    expect(told.Meta.Permissions).toEqual({})
  })

  it('reject an inactive user', async () => {
    const { call, token } = await makeTestDashboard({ options: { ssoEnableUserLookup: true } })
    const nonce = await token({ EmailAddress: 'old@one.example' })
    expect((await call('GET', `/tap?nonce=${nonce}`)).status).toBe(403)
    expect(testOptions.users.some(({ active }) => !active)).toBe(true)
  })
})

describe('a session', () => {
  it('ends with its life, by the store', async () => {
    const { signOn, call, clock } = await makeTestDashboard({ options: { dashboardSessionLifetime: 10 } })
    const headers = { Cookie: await signOn() }
    clock.advance(9_999)
    expect((await call('GET', '/api/session', { headers })).status).toBe(200)
    clock.advance(1)
    expect((await call('GET', '/api/session', { headers })).status).toBe(401)
  })

  it('is ended by its owner only: a call from another site is rejected', async () => {
    const { signOn, call } = await makeTestDashboard()
    const headers = { Cookie: await signOn() }
    const foreign = { ...headers, 'Sec-Fetch-Site': 'same-site' }
    expect((await call('DELETE', '/api/session', { headers: foreign })).status).toBe(403)
    expect((await call('DELETE', '/api/session', { headers: { ...headers, Origin: 'http://evil.test' } })).status).toBe(
      403,
    )
    const ended = await call('DELETE', '/api/session', { headers: { ...headers, Origin: 'http://gateway.test' } })
    expect(ended.status).toBe(200)
    expect(ended.headers.get('set-cookie')).toMatch(/^authorisation=; Path=\/; Max-Age=0;/)
    expect((await call('DELETE', '/api/session', { headers })).status).toBe(401)
  })

  it('of the portal opens nothing of the dashboard', async () => {
    const { signOn, call } = await makeTestDashboard()
    const cookie = await signOn({ ForSection: 'portal' }, '/sso')
    expect((await call('GET', '/api/session', { headers: { Cookie: cookie } })).status).toBe(200)
    for (const Cookie of [cookie, cookie.replace('portal_session', 'authorisation')]) {
      expect((await call('GET', '/api/dashboard/apis', { headers: { Cookie } })).status).toBe(401)
    }
  })
})
