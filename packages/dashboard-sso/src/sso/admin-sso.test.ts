import { describe, expect, it } from 'vitest'
import { adminSecret, makeTestDashboard } from '../../test/test-dashboard.ts'

const admin = { 'Admin-Auth': adminSecret }

async function ask(payload: unknown, wish = {}) {
  const { call } = await makeTestDashboard(wish)
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const response = await call('POST', '/admin/sso', { headers: admin, body })
  return { status: response.status, ...((await response.json()) as { Status: string; Message: string; Meta: unknown }) }
}

const invalid = (...problems: string[]) => ({
  status: 400,
  Status: 'Error',
  Message: `Cannot create an SSO session for an invalid payload: [${problems.map((one) => `Error: ${one}`).join(' ')}]`,
  Meta: null,
})

describe('POST /admin/sso', () => {
  it('answers a token of 48 characters that mean nothing in a query', async () => {
    expect(await ask({ OrgID: 'org1', ForSection: 'portal' })).toMatchObject({
      status: 200,
      Status: 'OK',
      Message: 'SSO Nonce created',
      Meta: expect.stringMatching(/^[A-Za-z0-9]{48}$/),
    })
  })

  it('checks the method, then the secret, then the body', async () => {
    const { call, log } = await makeTestDashboard()
    expect((await call('PUT', '/admin/sso', { body: '{}' })).status).toBe(405)
    expect((await call('POST', '/admin/sso', { body: '' })).status).toBe(401)
    const wrong = { headers: { 'Admin-Auth': 'not-it-at-all' } }
    expect((await call('POST', '/admin/sso', { ...wrong, body: '' })).status).toBe(401)
    expect((await call('POST', '/admin/sso', { headers: admin, body: '' })).status).toBe(500)
    expect((await call('POST', '/admin/other', { headers: admin })).status).toBe(404)
    expect((await call('GET', '/admin/other')).status).toBe(401)
    expect(JSON.stringify(log.lines)).toContain('192.0.2.7')
    expect(JSON.stringify(log.lines)).not.toContain('not-it-at-all')
  })

  it('does not check the secret after many wrong ones from an address if others wait', async () => {
    const { call, clock } = await makeTestDashboard()
    const guess = (given: string) => call('POST', '/admin/sso', { headers: { 'Admin-Auth': given }, body: '{}' })
    for (let i = 0; i < 40; i++) {
      const pending = guess(`wrong-${i}`)
      await clock.run(2_000)
      expect((await pending).status).toBe(401)
    }
    await guess('late-1')
    const rejected = await Promise.race(['late-2', 'late-3', adminSecret].map(guess))
    expect([rejected.status, Number(rejected.headers.get('retry-after')) > 0]).toEqual([429, true])
    await clock.run(30_000)
    expect((await guess(adminSecret)).status).toBe(400)
  })

  it('rejects everybody without a configured secret, an empty header too', async () => {
    const { call } = await makeTestDashboard({ options: { adminSecret: '' } })
    const body = '{"OrgID":"org1","ForSection":"dashboard"}'
    expect((await call('POST', '/admin/sso', { headers: { 'Admin-Auth': '' }, body })).status).toBe(401)
    expect((await call('POST', '/admin/sso', { body })).status).toBe(401)
  })

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a wrong type', { OrgID: 1, ForSection: 'dashboard' }],
    ['a text for a switch', { OrgID: 'org1', ForSection: 'dashboard', UserNotAllowed: 'true' }],
    ['groups that are no list', { OrgID: 'org1', ForSection: 'dashboard', GroupsIDs: 'g-read' }],
    ['groups that are no texts', { OrgID: 'org1', ForSection: 'dashboard', GroupsIDs: [1] }],
    ['64 KiB and more', { OrgID: 'org1', ForSection: 'dashboard', Rest: 'x'.repeat(65_536) }],
    ['a hundred thousand levels', '['.repeat(60_000)],
  ])('calls a payload malformed: %s', async (_, payload) => {
    expect(await ask(payload)).toEqual(invalid('Malformed payload.'))
  })

  it('calls a body malformed that was too long to be read', async () => {
    const { call } = await makeTestDashboard()
    expect((await call('POST', '/admin/sso', { headers: admin, bodyTooLong: true })).status).toBe(400)
    expect((await call('POST', '/admin/sso', { bodyTooLong: true })).status).toBe(401)
  })

  it('reports every broken rule, in order, with values cut at 64 characters', async () => {
    const long = '\u{1F511}'.repeat(70)
    const payload = {
      OrgID: long,
      ForSection: 'Dashboard',
      EmailAddress: 'a b@c',
      GroupID: 'g1',
      GroupsIDs: ['g2', 'g1'],
    }
    expect(await ask(payload)).toEqual(
      invalid(
        `Org id not found (${'\u{1F511}'.repeat(64)}).`,
        'Section not valid (Dashboard).',
        'Email address not valid (a b@c).',
        'Group id not found (g1).',
        'Group id not found (g2).',
      ),
    )
  })

  it('knows no group of another organisation, and no field by another case', async () => {
    expect(await ask({ OrgID: 'org1', ForSection: 'dashboard', GroupID: 'g-two' })).toEqual(
      invalid('Group id not found (g-two).'),
    )
    expect(await ask({ orgid: 'org1', ForSection: 'dashboard' })).toEqual(invalid('Org id not found ().'))
  })

  it('admits an address of 254 characters and none of 255', async () => {
    const address = (length: number) => `${'a'.repeat(length - 6)}@b.com`
    expect((await ask({ OrgID: 'org1', ForSection: 'dashboard', EmailAddress: address(254) })).status).toBe(200)
    expect((await ask({ OrgID: 'org1', ForSection: 'dashboard', EmailAddress: address(255) })).status).toBe(400)
  })

  it('is 403 where the token cannot be stored', async () => {
    const away = () => Promise.reject(new Error('away'))
    const payload = { OrgID: 'org1', ForSection: 'dashboard' }
    const told = { status: 403, Message: 'Failed to save new SSO object to DB', Meta: null }
    expect(await ask(payload, { records: () => ({ add: away }) })).toMatchObject(told)
    expect(await ask(payload, { records: () => ({ add: () => false }) })).toMatchObject(told)
  })

  it('keeps the digest of the token, and the token nowhere', async () => {
    const { token, records, log } = await makeTestDashboard()
    const made = await token()
    const names = await records.names('dashboard-sso.')
    expect(names).toEqual([expect.stringMatching(/^dashboard-sso\.[0-9a-f]{64}$/)])
    expect(names.join() + (await records.get(names[0] ?? '')) + JSON.stringify(log.lines)).not.toContain(made)
  })
})
