import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestDashboard, openApi, type TestDashboard } from '../../test/test-dashboard.ts'

interface Message {
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: messages are JSON of many shapes
  readonly data: any
}

async function open({ call }: TestDashboard, Cookie: string) {
  const gone = new AbortController()
  const response = await call('GET', '/api/dashboard/feed', { headers: { Cookie }, signal: gone.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  let over = false
  const pump = (async () => {
    for (;;) {
      const read = await reader?.read()
      if (read === undefined || read.done) break
      text += read.value
    }
  })()
  void pump
    .catch(() => undefined)
    .finally(() => {
      over = true
    })
  const messages = (): Message[] =>
    text
      .split('\n\n')
      .filter((one) => one.startsWith('event: '))
      .map((one) => {
        const [event = '', data = ''] = one.split('\n')
        return { event: event.slice('event: '.length), data: JSON.parse(data.slice('data: '.length)) }
      })
  return {
    response,
    leave: () => gone.abort(),
    of: (event: string) => messages().filter((one) => one.event === event),
    isOver: () => over,
  }
}

const settle = async () => {
  for (let i = 0; i < 50; i += 1) await new Promise((resolve) => setImmediate(resolve))
}

const pass = async ({ clock }: TestDashboard, ms: number) => {
  await clock.run(ms)
  await settle()
}

describe('a feed', () => {
  it('reports each request with the stage and the reason of its rejection', async () => {
    const test = await makeTestDashboard({ apis: [openApi('mine'), keyedApi('keyed')] })
    const feed = await open(test, await test.signOn())
    expect(feed.response.headers.get('content-type')).toBe('text/event-stream')
    await test.send('/mine/x?secret=1')
    await test.send('/keyed/y', { authorization: 'nobody' })
    await pass(test, 250)
    const rows = feed.of('traffic').flatMap(({ data }) => data.rows)
    expect(rows).toMatchObject([
      { method: 'GET', path: '/mine/x', apiId: 'mine', status: 200 },
      {
        path: '/keyed/y',
        status: 403,
        rejection: { phase: '2-identify', stage: 'auth-token', reason: 'Access to this API has been disallowed' },
      },
    ])
    expect(JSON.stringify(rows)).not.toContain('nobody')
    feed.leave()
  })

  it('shows a listen path with a reference as it is in the definition', async () => {
    const proxy = { listen_path: '/secrets://place/', target_url: 'http://up.test/' }
    const test = await makeTestDashboard({ apis: [openApi('mine', { proxy })], secret: () => 'hidden' })
    const feed = await open(test, await test.signOn())
    expect(await test.send('/hidden/x')).toBe(200)
    await pass(test, 250)
    const [row] = feed.of('traffic').flatMap(({ data }) => data.rows)
    expect(row).toMatchObject({ path: '/secrets://place/x', apiId: 'mine' })
    feed.leave()
  })

  it('shows an organisation only its own requests, and keys only to users who may read them', async () => {
    const apis = [openApi('mine'), openApi('theirs', { org_id: 'org2' }), keyedApi('keyed')]
    const options = { ssoPermissionDefaults: { analytics: 'read' } }
    const test = await makeTestDashboard({ apis, options })
    await test.putKey('org1anna', { org_id: 'org1', access_rights: { keyed: { api_id: 'keyed' } } })
    const feed = await open(test, await test.signOn())
    await test.send('/theirs/x')
    expect(await test.send('/keyed/x', { authorization: 'org1anna' })).toBe(200)
    await test.engine.reload()
    await pass(test, 250)
    expect(feed.of('traffic').flatMap(({ data }) => data.rows)).toMatchObject([{ apiId: 'keyed', key: '' }])
    expect(feed.of('reload')).toEqual([])
    feed.leave()
  })

  it('reports reloads and the counters of the last minute', async () => {
    const test = await makeTestDashboard({ apis: [openApi('mine')] })
    const feed = await open(test, await test.signOn())
    await test.send('/mine/x')
    await test.engine.reload()
    await pass(test, 1000)
    expect(feed.of('reload')).toMatchObject([{ data: { loaded: 1 } }])
    expect(feed.of('numbers').at(-1)?.data).toMatchObject({ requests: 1, forwarded: 1 })
    feed.leave()
  })

  it('sends a bounded number of rows at a time, rejections first, and counts the others', async () => {
    const test = await makeTestDashboard({ apis: [openApi('mine'), keyedApi('keyed')] })
    const feed = await open(test, await test.signOn())
    for (let i = 0; i < 100; i++) await test.send(`/mine/${i}`)
    await test.send('/keyed/y')
    await pass(test, 250)
    const [message] = feed.of('traffic')
    expect(message?.data).toMatchObject({ skipped: 61 })
    expect(message?.data.rows).toHaveLength(40)
    expect(message?.data.rows.at(-1)).toMatchObject({ path: '/keyed/y', rejection: { stage: 'auth-token' } })
    feed.leave()
  })

  it('disconnects a client that does not read, and frees its buffer', async () => {
    const test = await makeTestDashboard({ apis: [openApi('mine')] })
    const response = await test.call('GET', '/api/dashboard/feed', { headers: { Cookie: await test.signOn() } })
    for (let tick = 0; tick < 40; tick++) {
      for (let i = 0; i < 50; i++) await test.send(`/mine/${'x'.repeat(190)}`)
      await test.clock.run(250)
    }
    const reader = response.body?.getReader()
    await expect(reader?.read()).rejects.toThrow('fell behind')
  })

  it('ends with its session: by sign-out at once, by its life within ten seconds', async () => {
    const test = await makeTestDashboard({ options: { dashboardSessionLifetime: 30 } })
    const Cookie = await test.signOn()
    const [feed, other] = [await open(test, Cookie), await open(test, await test.signOn())]
    await test.call('DELETE', '/api/session', { headers: { Cookie } })
    await settle()
    expect([feed.isOver(), other.isOver()]).toEqual([true, false])
    await pass(test, 40_000)
    expect(other.of('over')).toHaveLength(1)
    expect(other.isOver()).toBe(true)
  })

  it('is rejected beyond what one session may have open, and room comes back', async () => {
    const test = await makeTestDashboard()
    const Cookie = await test.signOn()
    const feeds = await Promise.all(Array.from({ length: 9 }, () => open(test, Cookie)))
    expect(feeds.map(({ response }) => response.status)).toEqual([...Array(8).fill(200), 503])
    feeds[0]?.leave()
    await settle()
    expect((await open(test, Cookie)).response.status).toBe(200)
    test.dashboard.close()
    await settle()
    expect(feeds.every(({ isOver }) => isOver())).toBe(true)
    expect(test.clock.pending).toBeLessThan(3)
  })
})
