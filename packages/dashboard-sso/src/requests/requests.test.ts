import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestDashboard, openApi, type TestDashboard } from '../../test/test-dashboard.ts'

const own = { 'Sec-Fetch-Site': 'same-origin' }
const limited = {
  org_id: 'org1',
  ...{ rate: 2, per: 60, quota_max: 5, quota_renewal_rate: 3600 },
  access_rights: { keyed: { api_id: 'keyed', versions: ['Default'] } },
}

/** Opens a feed, sends requests and returns the rows that the feed sent. */
async function rowsOf(test: TestDashboard, cookie: string, send: () => Promise<unknown>) {
  const abort = new AbortController()
  const response = await test.call('GET', '/api/dashboard/feed', { headers: { Cookie: cookie }, signal: abort.signal })
  const reader = response.body?.getReader()
  await send()
  test.clock.advance(250)
  let text = ''
  while (!text.includes('event: traffic')) text += new TextDecoder().decode((await reader?.read())?.value)
  abort.abort()
  const [, data = '{}'] = /event: traffic\ndata: (.*)/.exec(text) ?? []
  return (JSON.parse(data) as { rows: { id: string; status: number }[] }).rows
}

async function fetchJson(test: TestDashboard, method: string, path: string, headers: Record<string, string>) {
  const response = await test.call(method, `/api/dashboard${path}`, { headers })
  // biome-ignore lint/suspicious/noExplicitAny: responses are JSON of many shapes
  return { status: response.status, ...((await response.json()) as { Message: string; Meta: any }) }
}

async function start() {
  const test = await makeTestDashboard({
    apis: [openApi('mine'), keyedApi('keyed'), openApi('theirs', { org_id: 'org2' })],
  })
  await test.putKey('the-secret-key', limited)
  return { test, cookie: await test.signOn() }
}

describe('details of requests', () => {
  it('has stages, limits before and after, and the reason of a rejection', async () => {
    const { test, cookie } = await start()
    const headers = { authorization: 'the-secret-key' }
    const rows = await rowsOf(test, cookie, async () => {
      for (let i = 0; i < 3; i++) await test.send('/keyed/x', headers)
    })
    expect(rows.map(({ status }) => status)).toEqual([200, 200, 429])
    const [, second, third] = rows
    const passed = await fetchJson(test, 'GET', `/requests/${second?.id}`, { Cookie: cookie })
    expect(passed.Meta.limits).toMatchObject([
      { kind: 'rate', owner: 'key', max: 2, seconds: 60, before: 1, after: 0, allowed: true },
      { kind: 'quota', owner: 'key', max: 5, seconds: 3600, before: 4, after: 3, allowed: true },
    ])
    expect(passed.Meta.why[0]).toMatch(/^All stages passed, and the upstream responded/)
    expect(passed.Meta.stages.map(({ stage }: { stage: string }) => stage)).toContain('forward')
    const rejected = await fetchJson(test, 'GET', `/requests/${third?.id}`, { Cookie: cookie })
    expect(rejected.Meta.why).toEqual([
      'The stage key-limits rejected the request with 429: Rate Limit Exceeded.',
      expect.stringMatching(/^Key "[0-9a-f]+" sets the rate of 2 requests in 60 s\. Retry in \d+ s\.$/),
      'No request was sent to the upstream.',
    ])
    expect(rejected.Meta.stages.at(-1)).toMatchObject({ stage: 'key-limits', phase: '3-admit' })
    expect(rejected.Meta.limits).toMatchObject([{ kind: 'rate', before: 0, after: 0, allowed: false }])
  })

  it('shows no credential, wherever it was sent', async () => {
    const { test, cookie } = await start()
    const [row] = await rowsOf(test, cookie, () =>
      test.send('/keyed/the-secret-key?token=sesame&plain=1', {
        authorization: 'the-secret-key',
        cookie: 'sid=hidden-cookie',
        'x-api-key': 'hidden-api-key',
        'x-session-id': 'hidden-session',
        'x-note': 'key the-secret-key here',
        'x-plain': 'visible',
      }),
    )
    const { Meta } = await fetchJson(test, 'GET', `/requests/${row?.id}`, { Cookie: cookie })
    const text = JSON.stringify(Meta)
    for (const secret of ['the-secret-key', 'sesame', 'hidden-']) expect(text).not.toContain(secret)
    expect(text).toContain('visible')
    expect(Meta.target).toBe('/keyed/[secret]?token=[secret]&plain=1')
  })

  it('runs a request again without counting it', async () => {
    const { test, cookie } = await start()
    const headers = { authorization: 'the-secret-key' }
    const [row] = await rowsOf(test, cookie, () => test.send('/keyed/x', headers))
    const path = `/requests/${row?.id}/explain`
    for (let i = 0; i < 5; i++) {
      const again = await fetchJson(test, 'POST', path, { Cookie: cookie, ...own })
      expect(again.status).toBe(200)
      expect(JSON.stringify(again.Meta)).not.toContain('the-secret-key')
      expect(again.Meta.stages.map(({ stage }: { stage: string }) => stage)).toContain('key-limits')
    }
    expect(await test.send('/keyed/x', headers)).toBe(200)
    expect(await test.send('/keyed/x', headers)).toBe(429)
    const now = await fetchJson(test, 'POST', path, { Cookie: cookie, ...own })
    expect(now.Meta).toMatchObject({ status: 429, why: expect.stringMatching(/rate/i) })
    expect(now.Meta.why).not.toContain('the-secret-key')
    expect((await fetchJson(test, 'POST', path, { Cookie: cookie })).status).toBe(403)
    expect((await fetchJson(test, 'POST', path, { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
  })

  it('explains a path that no API has, with the nearest listen paths', async () => {
    const options = { organisations: [{ id: 'org1', ownerName: '' }] }
    const test = await makeTestDashboard({ apis: [openApi('mine')], options })
    const cookie = await test.signOn()
    const headers = { authorization: 'Bearer hidden-token', 'x-api-key': 'hidden-key', 'x-plain': 'visible' }
    const [row] = await rowsOf(test, cookie, () => test.send('/mien/x?token=hidden-field', headers))
    const { Meta } = await fetchJson(test, 'GET', `/requests/${row?.id}`, { Cookie: cookie })
    expect(Meta).toMatchObject({ status: 404, why: ['No API is served at this host and path.'], stages: [] })
    expect(JSON.stringify(Meta)).not.toContain('hidden-')
    expect(JSON.stringify(Meta)).toContain('visible')
    const again = await fetchJson(test, 'POST', `/requests/${row?.id}/explain`, { Cookie: cookie, ...own })
    expect(again.Meta).toMatchObject({ status: 404, nearest: ['/mine/'] })
  })

  it('shows those of the own organisation to who may see traffic', async () => {
    const { test, cookie } = await start()
    const [row] = await rowsOf(test, cookie, () => test.send('/mine/x'))
    const path = `/requests/${row?.id}`
    const other = await test.signOn({ OrgID: 'org2' })
    expect((await fetchJson(test, 'GET', path, { Cookie: other })).status).toBe(404)
    const keysOnly = await test.signOn({ GroupID: 'g-keys' })
    expect((await fetchJson(test, 'GET', path, { Cookie: keysOnly })).status).toBe(403)
    expect((await fetchJson(test, 'GET', path, {})).status).toBe(401)
  })

  it('traces nothing while no feed is open, and forgets details a minute later', async () => {
    const { test, cookie } = await start()
    const [row] = await rowsOf(test, cookie, () => test.send('/mine/x'))
    const path = `/requests/${row?.id}`
    expect((await fetchJson(test, 'GET', path, { Cookie: cookie })).status).toBe(200)
    expect(test.traced()).toBe(1)
    await test.send('/mine/y')
    expect(test.traced()).toBe(1)
    test.clock.advance(60_000)
    expect((await fetchJson(test, 'GET', path, { Cookie: cookie })).status).toBe(404)
  })

  it('keeps a bounded number of requests per second and in all', async () => {
    const { test, cookie } = await start()
    let rows: { id: string }[] = []
    rows = await rowsOf(test, cookie, async () => {
      for (let i = 0; i < 200; i++) await test.send('/mine/x')
    })
    expect(test.traced()).toBe(160)
    const found = await fetchJson(test, 'GET', `/requests/${rows[0]?.id}`, { Cookie: cookie })
    expect(found.status).toBe(200)
    for (let second = 0; second < 3; second++) {
      test.clock.advance(1000)
      await rowsOf(test, cookie, async () => {
        for (let i = 0; i < 150; i++) await test.send('/mine/x')
      })
    }
    expect((await fetchJson(test, 'GET', `/requests/${rows[0]?.id}`, { Cookie: cookie })).status).toBe(404)
  })
})
