import { describe, expect, it } from 'vitest'
import { makeCachedGateway as gateway, type Reply } from '../../../test/support/cached-gateway.ts'
import { formatHttpDate } from '../../lib/text/time.ts'

const start = Date.UTC(2026, 0, 1)

const fresh = { 'cache-control': 'max-age=60' }

describe('a response with a freshness lifetime', () => {
  it('is served with its age, and fetched again when it is stale', async () => {
    const { engine, sendRequest } = await gateway(fresh)
    expect((await sendRequest()).age).toBeUndefined()
    engine.advance(59_900)
    expect(await sendRequest()).toMatchObject({ text: 'hit 1', age: '59', headers: { 'x-svc-cached-response': '1' } })
    engine.advance(100)
    expect(await sendRequest()).toMatchObject({ text: 'hit 2', age: undefined })
  })

  it.each([
    ['s-maxage before max-age', { 'cache-control': 'max-age=1, s-maxage=30' }, 30],
    [
      'Expires, counted from Date',
      { date: formatHttpDate(start - 10_000), expires: formatHttpDate(start + 20_000) },
      20,
    ],
    ['max-age before Expires', { 'cache-control': 'max-age="9"', expires: formatHttpDate(start + 50_000) }, 9],
    ['the age it had when it came', { 'cache-control': 'max-age=30', age: '10' }, 20],
    ['a date from before', { 'cache-control': 'max-age=30', date: formatHttpDate(start - 25_000) }, 5],
    ['the lesser of two', { 'cache-control': 'max-age=30, max-age=20' }, 20],
    [
      'is heuristically a tenth of the time since the last modification',
      { 'last-modified': formatHttpDate(start - 300_000) },
      30,
    ],
    ['at most cache_timeout of that', { 'last-modified': formatHttpDate(start - 10_000_000) }, 60],
  ] as const)('follows %s', async (_, headers, seconds) => {
    const { engine, sendRequest } = await gateway({ ...headers, etag: '' })
    await sendRequest()
    engine.advance(seconds * 1000 - 1)
    expect((await sendRequest()).text).toBe('hit 1')
    engine.advance(1)
    expect((await sendRequest()).text).toBe('hit 2')
  })

  it.each(['no-store', 'private', 'private="set-cookie"', 'no-store, public, max-age=60', 'max-age=0', 'max-age=soon'])(
    'is not cached with %s',
    async (control) => {
      const { sendRequest } = await gateway({ 'cache-control': control })
      await sendRequest()
      expect((await sendRequest()).text).toBe('hit 2')
    },
  )

  it('is not cached with Expires: 0, Vary: *, a cookie, or a status without an explicit lifetime', async () => {
    for (const reply of [
      { expires: '0' },
      { ...fresh, vary: '*' },
      { ...fresh, vary: 'X-Forwarded-For' },
      { ...fresh, 'set-cookie': 'a=b' },
      { status: 500 },
      { status: 206, ...fresh },
      { status: 412, ...fresh },
      { status: 416, ...fresh },
    ] as Reply[]) {
      const { sendRequest } = await gateway(reply)
      await sendRequest()
      expect((await sendRequest()).text, JSON.stringify(reply)).toBe('hit 2')
    }
  })

  it('of any status is cached with an explicit lifetime', async () => {
    const { sendRequest } = await gateway({ status: 503, ...fresh })
    await sendRequest()
    expect(await sendRequest()).toMatchObject({ status: 503, text: 'hit 1' })
  })

  it('is served for HEAD too, with its length', async () => {
    const { engine, sendRequest } = await gateway(fresh)
    await sendRequest()
    expect(await engine.send('HEAD', '/c/x')).toMatchObject({ status: 200, body: undefined, bodyLength: 5 })
  })

  it('passes the response stages for each client', async () => {
    const { sendRequest } = await gateway(fresh, {
      enable_context_vars: true,
      response_processors: [
        { name: 'header_injector', options: { add_headers: { 'X-You': '$svc_context.headers_X_Me' } } },
      ],
    })
    await sendRequest({ 'X-Me': 'ann' })
    expect(await sendRequest({ 'X-Me': 'bob' })).toMatchObject({ text: 'hit 1', headers: { 'x-you': 'bob' } })
  })
})

describe('a request', () => {
  it.each([
    [{ 'cache-control': 'no-cache' }, 'hit 2'],
    [{ pragma: 'no-cache' }, 'hit 2'],
    [{ 'cache-control': 'max-age=5' }, 'hit 2'],
    [{ 'cache-control': 'max-age=15' }, 'hit 1'],
    [{ 'cache-control': 'min-fresh=55' }, 'hit 2'],
    [{ 'cache-control': 'min-fresh=40' }, 'hit 1'],
    [{ 'cache-control': 'only-if-cached' }, 'hit 1'],
  ] as const)('with %j ten seconds later gets %s', async (headers, text) => {
    const { engine, sendRequest } = await gateway(fresh)
    await sendRequest()
    engine.advance(10_000)
    expect((await sendRequest(headers)).text).toBe(text)
  })

  it('with max-stale accepts a stale response, unless the response forbids it', async () => {
    for (const [control, text] of [
      ['max-age=5', 'hit 1'],
      ['max-age=5, must-revalidate', 'hit 2'],
      ['s-maxage=5', 'hit 2'],
    ] as const) {
      const { engine, sendRequest } = await gateway({ 'cache-control': control, 'stale-note': '', etag: '"a"' })
      await sendRequest()
      engine.advance(10_000)
      expect((await sendRequest({ 'cache-control': 'max-stale=10' })).text, control).toBe(text)
    }
  })

  it('with only-if-cached gets 504 without a usable response', async () => {
    const { engine, sendRequest } = await gateway(fresh)
    expect((await sendRequest({ 'cache-control': 'only-if-cached' })).status).toBe(504)
    expect(engine.upstreamRequests).toHaveLength(0)
  })

  it('with no-store is not cached', async () => {
    const { sendRequest } = await gateway(fresh)
    await sendRequest({ 'cache-control': 'no-store' })
    expect((await sendRequest()).text).toBe('hit 2')
  })

  it('with a current copy gets 304, by tag or by date', async () => {
    const changed = formatHttpDate(start - 86_400_000)
    const { sendRequest } = await gateway({ ...fresh, etag: '"a"', 'last-modified': changed })
    await sendRequest()
    for (const headers of [{ 'if-none-match': 'W/"a"' }, { 'if-none-match': '*' }, { 'if-modified-since': changed }]) {
      expect(await sendRequest(headers)).toMatchObject({ status: 304, text: '' })
    }
    expect((await sendRequest({ 'if-none-match': '"b"', 'if-modified-since': changed })).status).toBe(200)
  })

  it('with Authorization shares its response only if the response allows it', async () => {
    const me = { authorization: 'Basic bWU6bWU=' }
    for (const [control, text] of [
      ['max-age=60', 'hit 2'],
      ['public, max-age=60', 'hit 1'],
      ['s-maxage=60', 'hit 1'],
      ['must-revalidate, max-age=60', 'hit 1'],
    ] as const) {
      const { sendRequest } = await gateway({ 'cache-control': control })
      await sendRequest(me)
      expect((await sendRequest()).text, control).toBe(text)
    }
  })

  it('with a key of the gateway counts as authorised, wherever the key is sent', async () => {
    for (const [control, text] of [
      ['max-age=60', 'hit 2'],
      ['public, max-age=60', 'hit 1'],
    ] as const) {
      const { engine, sendRequest } = await gateway(
        { 'cache-control': control },
        { use_keyless: false, auth: { auth_header_name: 'X-Key' } },
      )
      const session = { org_id: 'org1', access_rights: { c: { api_id: 'c', versions: ['Default'] } } }
      for (const key of ['org1ann1', 'org1bob1']) await engine.putKey(key, session)
      await sendRequest({ 'x-key': 'org1ann1' })
      expect((await sendRequest({ 'x-key': 'org1bob1' })).text, control).toBe(text)
    }
  })

  it('for a range or with other conditions is forwarded', async () => {
    const { engine, sendRequest } = await gateway({ ...fresh, etag: '"a"' })
    await sendRequest()
    await sendRequest({ 'if-match': '"a"' })
    expect(engine.upstreamRequests).toHaveLength(2)
  })
})

describe('Vary', () => {
  it('stores several variants of one URL', async () => {
    const { sendRequest } = await gateway({ ...fresh, vary: 'Accept-Language, X-B' })
    for (const [language, text] of [
      ['de', 'hit 1'],
      ['en', 'hit 2'],
      ['de', 'hit 1'],
      ['en', 'hit 2'],
    ] as const) {
      expect((await sendRequest({ 'accept-language': language })).text).toBe(text)
    }
    expect((await sendRequest()).text).toBe('hit 3')
    expect((await sendRequest({ 'accept-language': 'de', 'x-b': '1' })).text).toBe('hit 4')
    expect((await sendRequest()).text).toBe('hit 3')
  })

  it('stores a bounded number of variants', async () => {
    const { engine, sendRequest } = await gateway({ ...fresh, vary: 'x-n' })
    for (let i = 0; i < 50; i++) await sendRequest({ 'x-n': String(i) })
    expect((await sendRequest({ 'x-n': '49' })).text).toBe('hit 50')
    expect((await sendRequest({ 'x-n': '1' })).text).toBe('hit 51')
    expect(engine.store.responses.bytes).toBeLessThan(16 * 1024)
  })
})

describe('a stale response', () => {
  it('is fresh again after revalidation', async () => {
    const { engine, play, sendRequest, sentHeader } = await gateway({ ...fresh, etag: '"a"', 'x-n': '1' })
    await sendRequest()
    engine.advance(61_000)
    play({ status: 304, ...fresh, 'x-n': '2' })
    expect(await sendRequest()).toMatchObject({
      status: 200,
      text: 'hit 1',
      age: '0',
      headers: { 'x-n': '2', etag: '"a"' },
    })
    expect(sentHeader('if-none-match')).toBe('"a"')
    engine.advance(59_000)
    expect((await sendRequest()).age).toBe('59')
    expect(engine.upstreamRequests).toHaveLength(2)
  })

  it('is revalidated for a client with conditions, which are evaluated on the stored response', async () => {
    const { engine, play, sendRequest, sentHeader } = await gateway({ ...fresh, etag: '"a"' })
    await sendRequest()
    engine.advance(61_000)
    play({ status: 304 })
    expect(await sendRequest({ 'if-none-match': '"old"' })).toMatchObject({ status: 200, text: 'hit 1' })
    expect(sentHeader('if-none-match')).toBe('"a"')
    engine.advance(61_000)
    expect(await sendRequest({ 'if-none-match': '"a"' })).toMatchObject({ status: 304 })
  })

  it('is revalidated by its date if it has no tag', async () => {
    const changed = formatHttpDate(start - 1000)
    const { engine, play, sendRequest, sentHeader } = await gateway({ ...fresh, 'last-modified': changed })
    await sendRequest()
    engine.advance(61_000)
    play({ status: 304 })
    expect((await sendRequest()).text).toBe('hit 1')
    expect(sentHeader('if-modified-since')).toBe(changed)
  })

  it('is replaced by a new one, and evicted if the new one cannot be cached', async () => {
    const { engine, play, sendRequest, sentHeader } = await gateway({ ...fresh, etag: '"a"' })
    await sendRequest()
    engine.advance(61_000)
    play({ ...fresh, etag: '"b"' })
    expect((await sendRequest()).text).toBe('hit 2')
    expect((await sendRequest()).text).toBe('hit 2')
    engine.advance(61_000)
    play({ 'cache-control': 'no-store' })
    expect((await sendRequest()).text).toBe('hit 3')
    play({ status: 304 })
    await sendRequest()
    expect(sentHeader('if-none-match')).toBeUndefined()
  })

  it('is revalidated each time with no-cache', async () => {
    const { engine, play, sendRequest } = await gateway({ 'cache-control': 'no-cache', etag: '"a"' })
    await sendRequest()
    play({ status: 304 })
    expect((await sendRequest()).text).toBe('hit 1')
    expect((await sendRequest()).text).toBe('hit 1')
    expect(engine.upstreamRequests).toHaveLength(3)
  })

  it('replaces an error for the duration of stale-if-error', async () => {
    for (const failure of [{ failure: 'refused' }, { status: 502 }] as Reply[]) {
      const { engine, play, sendRequest } = await gateway({ 'cache-control': 'max-age=10, stale-if-error=20' })
      await sendRequest()
      play(failure)
      engine.advance(29_000)
      expect(await sendRequest()).toMatchObject({ status: 200, text: 'hit 1', age: '29' })
      engine.advance(2000)
      expect((await sendRequest()).status).toBeGreaterThanOrEqual(500)
    }
  })

  it('does not replace an error with must-revalidate or without stale-if-error', async () => {
    for (const control of ['max-age=10', 'max-age=10, must-revalidate, stale-if-error=20']) {
      const { engine, play, sendRequest } = await gateway({ 'cache-control': control, etag: '"a"' })
      await sendRequest()
      play({ failure: 'refused' })
      engine.advance(11_000)
      expect((await sendRequest()).status).toBe(500)
    }
  })
})

describe('an unsafe request', () => {
  it('invalidates the responses of its URL if it succeeds', async () => {
    const { play, sendRequest } = await gateway(fresh)
    await sendRequest()
    play({ status: 400 })
    await sendRequest({}, 'PUT')
    expect((await sendRequest()).text).toBe('hit 1')
    play({ status: 204, ...fresh })
    await sendRequest({}, 'DELETE')
    play(fresh)
    expect((await sendRequest()).text).not.toBe('hit 1')
  })

  it.each([
    ['/c/x', '/base/y?a=1#f', true],
    ['/c/', '/base/y?a=1', true],
    ['/c/x', 'y?a=1', true],
    ['/c/x', 'http://Upstream.test/base/y?a=1', true],
    ['/c/x', 'http://other.test/base/y?a=1', false],
    ['/c/x', '//upstream.test/base/y?a=1', false],
    ['/c/x', 'urn:y?a=1', false],
    ['/c/x', '/y?a=1', false],
    ['/c/x', '/based/y?a=1', false],
    ['/c/x', '/base/z/../y?a=1', false],
    ['/c/x', '/base/y?a=2', false],
  ])('%s invalidates the URL in Location and Content-Location: %s %s', async (path, url, invalidates) => {
    const proxy = { listen_path: '/c/', target_url: 'http://upstream.test/base/', strip_listen_path: true }
    for (const header of ['location', 'content-location']) {
      const { play, sendRequest } = await gateway(fresh, { proxy })
      await sendRequest({}, 'GET', '/c/y?a=1')
      play({ status: 201, [header]: url })
      await sendRequest({}, 'POST', path)
      const { status } = await sendRequest({ 'cache-control': 'only-if-cached' }, 'GET', '/c/y?a=1')
      expect(status, header).toBe(invalidates ? 504 : 200)
    }
  })

  it('does not affect other URLs', async () => {
    const { sendRequest } = await gateway(fresh)
    await sendRequest()
    await sendRequest({}, 'POST', '/c/y')
    expect((await sendRequest()).text).toBe('hit 1')
  })
})

describe('cache_options with cache_mode', () => {
  it('select the paths', async () => {
    const { sendRequest } = await gateway(fresh, {
      version_data: {
        not_versioned: true,
        versions: { Default: { name: 'Default', use_extended_paths: true, extended_paths: { cache: ['/in'] } } },
      },
    })
    await sendRequest({}, 'GET', '/c/in')
    expect((await sendRequest({}, 'GET', '/c/in')).text).toBe('hit 1')
    await sendRequest({}, 'GET', '/c/out')
    expect((await sendRequest({}, 'GET', '/c/out')).text).toBe('hit 3')
  })

  it('allow sharing between clients', async () => {
    const { sendRequest } = await gateway(fresh)
    await sendRequest({ 'x-real-ip': '10.0.0.1' })
    expect((await sendRequest({ 'x-real-ip': '10.0.0.2' })).text).toBe('hit 1')
  })

  it('limit the heuristic lifetime: with a timeout of 0 there is none', async () => {
    const { sendRequest } = await gateway({ 'last-modified': formatHttpDate(start - 1e9) }, {}, { cache_timeout: 0 })
    await sendRequest()
    expect((await sendRequest()).text).toBe('hit 2')
  })
})
