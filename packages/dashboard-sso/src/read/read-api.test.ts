import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestDashboard, openApi, type TestDashboard } from '../../test/test-dashboard.ts'

const own = { 'Sec-Fetch-Site': 'same-origin' }

async function read({ call }: TestDashboard, path: string, Cookie: string) {
  const response = await call('GET', `/api/dashboard${path}`, { headers: { Cookie } })
  // biome-ignore lint/suspicious/noExplicitAny: answers are JSON of many shapes
  const { Message, Meta } = (await response.json()) as { Message: string; Meta: any }
  return { status: response.status, message: Message, meta: Meta }
}

const sessionFor = (orgId: string, more: object = {}) => ({
  org_id: orgId,
  access_rights: { keyed: { api_id: 'keyed', versions: ['Default'] } },
  ...more,
})

describe('what the page reads', () => {
  it('needs a session and the permission, call by call', async () => {
    const test = await makeTestDashboard()
    const cookie = await test.signOn({ GroupID: 'g-keys' })
    expect((await read(test, '/keys', '')).status).toBe(401)
    expect((await read(test, '/keys', cookie)).status).toBe(200)
    expect(await read(test, '/apis', cookie)).toMatchObject({ status: 403, message: 'Not permitted: apis read' })
    expect((await read(test, '/policies', cookie)).status).toBe(403)
    expect((await read(test, '/feed', cookie)).status).toBe(403)
    expect((await read(test, '/status', cookie)).meta.may).toEqual({
      ...{ traffic: false, apis: false, keys: true, policies: false, reload: false },
      edit: { apis: false, keys: true, policies: false },
    })
  })

  it('responds with 404 to unknown paths and 405 to other methods', async () => {
    const test = await makeTestDashboard()
    expect((await test.call('GET', '/api/dashboard/other')).status).toBe(404)
    expect((await test.call('PUT', '/api/dashboard/reload')).headers.get('allow')).toBe('GET, POST')
    expect((await test.call('GET', '/nowhere')).status).toBe(404)
  })

  it('shows each organisation its own, and no credentials of targets', async () => {
    const apis = [openApi('mine'), openApi('theirs', { org_id: 'org2' }), openApi('nobodys', { org_id: '' })]
    const test = await makeTestDashboard({ apis })
    const { meta } = await read(test, '/apis', await test.signOn())
    expect(meta.apis.map(({ id }: { id: string }) => id)).toEqual(['mine'])
    expect(meta.apis[0].target).toBe('http://mine.test/')
    const alone = await makeTestDashboard({ apis, options: { organisations: [{ id: 'org1', ownerName: '' }] } })
    const seen = await read(alone, '/apis', await alone.signOn())
    expect(seen.meta.apis.map(({ id }: { id: string }) => id).sort()).toEqual(['mine', 'nobodys'])
  })

  it('shows references, not their values', async () => {
    const references = { name: 'secrets://name', domain: 'secrets://HOST' }
    const proxy = { listen_path: '/secrets://place/', target_url: 'http://up.test/' }
    const apis = [openApi('mine', { ...references, proxy })]
    const test = await makeTestDashboard({ apis, secret: (_, name) => `hidden-${name}` })
    const { meta } = await read(test, '/apis', await test.signOn())
    expect(meta.apis[0]).toMatchObject({ ...references, listenPath: '/secrets://place/' })
    expect(JSON.stringify(meta)).not.toContain('hidden')
  })

  it('counts the last minute of each API', async () => {
    const test = await makeTestDashboard({ apis: [openApi('mine'), keyedApi('keyed')] })
    await test.send('/mine/x')
    await test.send('/keyed/x', { authorization: 'nobody' })
    const cookie = await test.signOn()
    const numbers = async () => {
      const { meta } = await read(test, '/apis', cookie)
      return meta.apis.map(
        ({ lastMinute: { requests, rejected, forwarded } }: { lastMinute: Record<string, number> }) => [
          ...[requests, rejected, forwarded],
        ],
      )
    }
    expect(await numbers()).toEqual([
      [1, 0, 1],
      [1, 1, 0],
    ])
    test.clock.advance(60_000)
    expect(await numbers()).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ])
  })

  it.each([true, false])('lists keys by hash, never by name (hashed: %s)', async (hashKeys) => {
    const settings = { keys: { ...(await import('@turnpike/core/ports')).defaultSettings.keys, hashKeys } }
    const test = await makeTestDashboard({ apis: [keyedApi('keyed')], settings })
    const stored = hashKeys ? 'a1b2c3d4' : 'org1secret-name'
    await test.putKey(stored, sessionFor('org1', { alias: 'Anna' }))
    await test.putKey(`${stored}-other`, sessionFor('org2', { alias: 'Bob' }))
    const { meta } = await read(test, '/keys', await test.signOn())
    expect(meta.keys).toMatchObject([{ alias: 'Anna', apis: ['keyed'], hash: expect.stringMatching(/^[0-9a-f]{8}$/) }])
    expect(meta.warning).toEqual(hashKeys ? expect.stringContaining('can be inverted') : undefined)
    expect(JSON.stringify(meta)).not.toContain('secret-name')
  })

  it('shows the counters of a key without counting', async () => {
    const test = await makeTestDashboard({ apis: [keyedApi('keyed'), keyedApi('other')] })
    const limits = { rate: 3, per: 60, quota_max: 10, quota_renewal_rate: 3600 }
    await test.putKey('org1anna', sessionFor('org1', limits))
    const cookie = await test.signOn()
    const [key] = (await read(test, '/keys', cookie)).meta.keys
    const meters = async () => (await read(test, `/keys/${key.hash}/meters`, cookie)).meta.meters
    expect(await meters()).toMatchObject([
      { kind: 'rate', apis: ['keyed'], used: 0, max: 3, seconds: 60 },
      { kind: 'quota', apis: ['keyed'], used: 0, max: 10, seconds: 3600 },
    ])
    for (let i = 0; i < 5; i++) await meters()
    expect(await test.send('/keyed/x', { authorization: 'org1anna' })).toBe(200)
    expect(await meters()).toMatchObject([{ used: 1 }, { used: 1, endsAt: test.clock.now() + 3_600_000 }])
  })

  it('knows no key of another organisation', async () => {
    const test = await makeTestDashboard({ apis: [keyedApi('keyed')] })
    await test.putKey('org2bob', sessionFor('org2'))
    const theirs = await test.signOn({ OrgID: 'org2' })
    const [key] = (await read(test, '/keys', theirs)).meta.keys
    expect((await read(test, `/keys/${key.hash}/meters`, theirs)).status).toBe(200)
    expect((await read(test, `/keys/${key.hash}/meters`, await test.signOn())).status).toBe(404)
  })
})

describe('a reload from the page', () => {
  it('needs the permission to write, and must come from the page itself', async () => {
    const test = await makeTestDashboard({ apis: [openApi('mine')] })
    const reload = async (Cookie: string, headers: Record<string, string>) =>
      (await test.call('POST', '/api/dashboard/reload', { headers: { Cookie, ...headers } })).status
    const admin = await test.signOn()
    expect(await reload(await test.signOn({ GroupID: 'g-read' }), own)).toBe(403)
    expect(await reload(admin, {})).toBe(403)
    expect(await reload(admin, { 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
    expect(await reload(admin, { Origin: 'http://evil.test' })).toBe(403)
    expect(await reload(admin, { Origin: 'null' })).toBe(403)
    test.apis.push(openApi('fresh'))
    expect(await reload(admin, own)).toBe(200)
    expect(test.engine.definitions().map(({ id }) => id)).toContain('fresh')
    expect(await reload(admin, { Origin: 'http://gateway.test' })).toBe(200)
  })

  it('shows an organisation its own files, and of others only how many failed', async () => {
    const test = await makeTestDashboard({ apis: [openApi('mine'), openApi('theirs', { org_id: 'org2' })] })
    test.apis[1] = { api_id: 'theirs', proxy: 1 } as never
    test.apis[0] = openApi('mine', { name: 'Mine again' })
    await test.call('POST', '/api/dashboard/reload', { headers: { Cookie: await test.signOn(), ...own } })
    const { meta } = await read(test, '/reload', await test.signOn())
    expect(meta).toMatchObject({ changed: ['mine.json'], failed: [], failedElsewhere: 1, loaded: 1 })
    expect(JSON.stringify(meta)).not.toContain('theirs')
  })
})
