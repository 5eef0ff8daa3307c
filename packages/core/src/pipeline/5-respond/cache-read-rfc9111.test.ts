import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { collectResponse } from '../../engine/inject.ts'
import { type HeaderPairs, headerOf } from '../../http/headers.ts'
import { formatHttpDate } from '../../lib/text/time.ts'
import type { UpstreamError, UpstreamRequest, UpstreamResponse } from '../../ports/upstream.ts'

const start = Date.UTC(2026, 0, 1)

/** What the upstream says: a status and headers by name, or a failure. */
type Reply = { readonly status?: number; readonly failure?: 'refused' } & Readonly<Record<string, string | number>>

async function gateway(reply: Reply | ((request: UpstreamRequest) => Reply), more: object = {}, more2: object = {}) {
  let hit = 0
  let script = typeof reply === 'function' ? reply : () => reply
  const engine = await makeTestEngine({
    definitions: [
      definitionOf('c', { cache_mode: 'rfc9111', cache_options: { enable_cache: true, ...more2 }, ...more }),
    ],
    upstream: async (request): Promise<UpstreamResponse | UpstreamError> => {
      const { status = 200, failure, ...headers } = script(request)
      if (failure !== undefined) return { kind: 'error', reason: failure, cause: undefined }
      const body = status === 304 ? undefined : new TextEncoder().encode(`hit ${++hit}`)
      const pairs: HeaderPairs = Object.entries(headers).flatMap(([name, value]) => [name, String(value)])
      return { kind: 'response', status, headers: pairs, body, bodyLength: undefined }
    },
  })
  return {
    engine,
    play(next: Reply) {
      script = () => next
    },
    async ask(headers: Record<string, string> = {}, method = 'GET', url = '/c/x') {
      const answer = await collectResponse(await engine.send(method, url, headers))
      return { status: answer.status, text: answer.text(), headers: answer.headers, age: answer.headers.age }
    },
    /** The conditions that the upstream was asked with last. */
    condition: () => headerOf(engine.upstreamRequests.at(-1)?.headers ?? [], 'if-none-match'),
  }
}

const fresh = { 'cache-control': 'max-age=60' }

describe('an answer that says how long it is fresh', () => {
  it('is given again with its age, and asked for anew after that', async () => {
    const { engine, ask } = await gateway(fresh)
    expect((await ask()).age).toBeUndefined()
    engine.advance(59_900)
    expect(await ask()).toMatchObject({ text: 'hit 1', age: '59', headers: { 'x-svc-cached-response': '1' } })
    engine.advance(100)
    expect(await ask()).toMatchObject({ text: 'hit 2', age: undefined })
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
      'a tenth of the time since its change, where it does not say',
      { 'last-modified': formatHttpDate(start - 300_000) },
      30,
    ],
    ['at most cache_timeout of that', { 'last-modified': formatHttpDate(start - 10_000_000) }, 60],
  ] as const)('goes by %s', async (_, headers, seconds) => {
    const { engine, ask } = await gateway({ ...headers, etag: '' })
    await ask()
    engine.advance(seconds * 1000 - 1)
    expect((await ask()).text).toBe('hit 1')
    engine.advance(1)
    expect((await ask()).text).toBe('hit 2')
  })

  it.each(['no-store', 'private', 'private="set-cookie"', 'no-store, public, max-age=60', 'max-age=0', 'max-age=soon'])(
    'is not given again with %s',
    async (control) => {
      const { ask } = await gateway({ 'cache-control': control })
      await ask()
      expect((await ask()).text).toBe('hit 2')
    },
  )

  it('is not given again with Expires: 0, Vary: *, a cookie, or a status that nobody said to keep', async () => {
    for (const reply of [
      { expires: '0' },
      { ...fresh, vary: '*' },
      { ...fresh, vary: 'X-Forwarded-For' },
      { ...fresh, 'set-cookie': 'a=b' },
      { status: 500 },
      { status: 206, ...fresh },
    ] as Reply[]) {
      const { ask } = await gateway(reply)
      await ask()
      expect((await ask()).text, JSON.stringify(reply)).toBe('hit 2')
    }
  })

  it('of any status is kept where it says so', async () => {
    const { ask } = await gateway({ status: 503, ...fresh })
    await ask()
    expect(await ask()).toMatchObject({ status: 503, text: 'hit 1' })
  })

  it('serves HEAD too, with its length', async () => {
    const { engine, ask } = await gateway(fresh)
    await ask()
    expect(await engine.send('HEAD', '/c/x')).toMatchObject({ status: 200, body: undefined, bodyLength: 5 })
  })

  it('is shaped anew for each client', async () => {
    const { ask } = await gateway(fresh, {
      enable_context_vars: true,
      response_processors: [
        { name: 'header_injector', options: { add_headers: { 'X-You': '$svc_context.headers_X_Me' } } },
      ],
    })
    await ask({ 'X-Me': 'ann' })
    expect(await ask({ 'X-Me': 'bob' })).toMatchObject({ text: 'hit 1', headers: { 'x-you': 'bob' } })
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
    const { engine, ask } = await gateway(fresh)
    await ask()
    engine.advance(10_000)
    expect((await ask(headers)).text).toBe(text)
  })

  it('with max-stale takes what is stale, unless the answer forbids it', async () => {
    for (const [control, text] of [
      ['max-age=5', 'hit 1'],
      ['max-age=5, must-revalidate', 'hit 2'],
      ['s-maxage=5', 'hit 2'],
    ] as const) {
      const { engine, ask } = await gateway({ 'cache-control': control, 'stale-note': '', etag: '"a"' })
      await ask()
      engine.advance(10_000)
      expect((await ask({ 'cache-control': 'max-stale=10' })).text, control).toBe(text)
    }
  })

  it('with only-if-cached gets 504 where nothing fits', async () => {
    const { engine, ask } = await gateway(fresh)
    expect((await ask({ 'cache-control': 'only-if-cached' })).status).toBe(504)
    expect(engine.upstreamRequests).toHaveLength(0)
  })

  it('with no-store has nothing kept', async () => {
    const { ask } = await gateway(fresh)
    await ask({ 'cache-control': 'no-store' })
    expect((await ask()).text).toBe('hit 2')
  })

  it('that has the answer already gets 304, by tag or by date', async () => {
    const changed = formatHttpDate(start - 86_400_000)
    const { ask } = await gateway({ ...fresh, etag: '"a"', 'last-modified': changed })
    await ask()
    for (const headers of [{ 'if-none-match': 'W/"a"' }, { 'if-none-match': '*' }, { 'if-modified-since': changed }]) {
      expect(await ask(headers)).toMatchObject({ status: 304, text: '' })
    }
    expect((await ask({ 'if-none-match': '"b"', 'if-modified-since': changed })).status).toBe(200)
  })

  it('with Authorization has its answer shared only where the answer allows it', async () => {
    const me = { authorization: 'Basic bWU6bWU=' }
    for (const [control, text] of [
      ['max-age=60', 'hit 2'],
      ['public, max-age=60', 'hit 1'],
      ['s-maxage=60', 'hit 1'],
      ['must-revalidate, max-age=60', 'hit 1'],
    ] as const) {
      const { ask } = await gateway({ 'cache-control': control })
      await ask(me)
      expect((await ask()).text, control).toBe(text)
    }
  })

  it('with a key of the gateway is as personal as one with Authorization, wherever the key stands', async () => {
    for (const [control, text] of [
      ['max-age=60', 'hit 2'],
      ['public, max-age=60', 'hit 1'],
    ] as const) {
      const { engine, ask } = await gateway(
        { 'cache-control': control },
        { use_keyless: false, auth: { auth_header_name: 'X-Key' } },
      )
      const session = { org_id: 'org1', access_rights: { c: { api_id: 'c', versions: ['Default'] } } }
      for (const key of ['org1ann1', 'org1bob1']) await engine.putKey(key, session)
      await ask({ 'x-key': 'org1ann1' })
      expect((await ask({ 'x-key': 'org1bob1' })).text, control).toBe(text)
    }
  })

  it('for a range or on a condition for the upstream is not judged here', async () => {
    const { engine, ask } = await gateway({ ...fresh, etag: '"a"' })
    await ask()
    await ask({ 'if-match': '"a"' })
    expect(engine.upstreamRequests).toHaveLength(2)
  })
})

describe('Vary', () => {
  it('keeps several answers under one address', async () => {
    const { ask } = await gateway({ ...fresh, vary: 'Accept-Language, X-B' })
    for (const [language, text] of [
      ['de', 'hit 1'],
      ['en', 'hit 2'],
      ['de', 'hit 1'],
      ['en', 'hit 2'],
    ] as const) {
      expect((await ask({ 'accept-language': language })).text).toBe(text)
    }
    expect((await ask()).text).toBe('hit 3')
    expect((await ask({ 'accept-language': 'de', 'x-b': '1' })).text).toBe('hit 4')
    expect((await ask()).text).toBe('hit 3')
  })

  it('keeps a bounded number of them', async () => {
    const { engine, ask } = await gateway({ ...fresh, vary: 'x-n' })
    for (let i = 0; i < 50; i++) await ask({ 'x-n': String(i) })
    expect((await ask({ 'x-n': '49' })).text).toBe('hit 50')
    expect((await ask({ 'x-n': '1' })).text).toBe('hit 51')
    expect(engine.store.responses.bytes).toBeLessThan(16 * 1024)
  })
})

describe('a stale answer', () => {
  it('is confirmed by the upstream, and fresh again then', async () => {
    const { engine, play, ask, condition } = await gateway({ ...fresh, etag: '"a"', 'x-n': '1' })
    await ask()
    engine.advance(61_000)
    play({ status: 304, ...fresh, 'x-n': '2' })
    expect(await ask()).toMatchObject({ status: 200, text: 'hit 1', age: '0', headers: { 'x-n': '2', etag: '"a"' } })
    expect(condition()).toBe('"a"')
    engine.advance(59_000)
    expect((await ask()).age).toBe('59')
    expect(engine.upstreamRequests).toHaveLength(2)
  })

  it('is confirmed for a client with conditions of its own, which are judged on what is stored', async () => {
    const { engine, play, ask, condition } = await gateway({ ...fresh, etag: '"a"' })
    await ask()
    engine.advance(61_000)
    play({ status: 304 })
    expect(await ask({ 'if-none-match': '"old"' })).toMatchObject({ status: 200, text: 'hit 1' })
    expect(condition()).toBe('"a"')
    engine.advance(61_000)
    expect(await ask({ 'if-none-match': '"a"' })).toMatchObject({ status: 304 })
  })

  it('is asked about by its date where it has no tag', async () => {
    const changed = formatHttpDate(start - 1000)
    const { engine, play, ask } = await gateway({ ...fresh, 'last-modified': changed })
    await ask()
    engine.advance(61_000)
    play({ status: 304 })
    expect((await ask()).text).toBe('hit 1')
    expect(headerOf(engine.upstreamRequests[1]?.headers ?? [], 'if-modified-since')).toBe(changed)
  })

  it('is replaced by a new one, and forgotten where the new one may not be kept', async () => {
    const { engine, play, ask } = await gateway({ ...fresh, etag: '"a"' })
    await ask()
    engine.advance(61_000)
    play({ ...fresh, etag: '"b"' })
    expect((await ask()).text).toBe('hit 2')
    expect((await ask()).text).toBe('hit 2')
    engine.advance(61_000)
    play({ 'cache-control': 'no-store' })
    expect((await ask()).text).toBe('hit 3')
    play({ status: 304 })
    await ask()
    expect(headerOf(engine.upstreamRequests.at(-1)?.headers ?? [], 'if-none-match')).toBeUndefined()
  })

  it('is asked about each time with no-cache', async () => {
    const { engine, play, ask } = await gateway({ 'cache-control': 'no-cache', etag: '"a"' })
    await ask()
    play({ status: 304 })
    expect((await ask()).text).toBe('hit 1')
    expect((await ask()).text).toBe('hit 1')
    expect(engine.upstreamRequests).toHaveLength(3)
  })

  it('is given in place of an error with stale-if-error, for as long as that says', async () => {
    for (const failure of [{ failure: 'refused' }, { status: 502 }] as Reply[]) {
      const { engine, play, ask } = await gateway({ 'cache-control': 'max-age=10, stale-if-error=20' })
      await ask()
      play(failure)
      engine.advance(29_000)
      expect(await ask()).toMatchObject({ status: 200, text: 'hit 1', age: '29' })
      engine.advance(2000)
      expect((await ask()).status).toBeGreaterThanOrEqual(500)
    }
  })

  it('is not given in place of an error where it says must-revalidate, or nothing', async () => {
    for (const control of ['max-age=10', 'max-age=10, must-revalidate, stale-if-error=20']) {
      const { engine, play, ask } = await gateway({ 'cache-control': control, etag: '"a"' })
      await ask()
      play({ failure: 'refused' })
      engine.advance(11_000)
      expect((await ask()).status).toBe(500)
    }
  })

  it('is given to others with stale-while-revalidate, while one asks anew', async () => {
    const { engine, ask } = await gateway({ 'cache-control': 'max-age=10, stale-while-revalidate=20' })
    await ask()
    engine.advance(11_000)
    const [first, second] = await Promise.all([ask(), ask()])
    expect([first.text, second.text]).toEqual(['hit 2', 'hit 1'])
    expect((await ask()).text).toBe('hit 2')
    expect(engine.upstreamRequests).toHaveLength(2)
  })
})

describe('an unsafe request', () => {
  it('makes void what is kept of its address, if it succeeds', async () => {
    const { play, ask } = await gateway(fresh)
    await ask()
    play({ status: 400 })
    await ask({}, 'PUT')
    expect((await ask()).text).toBe('hit 1')
    play({ status: 204, ...fresh })
    await ask({}, 'DELETE')
    play(fresh)
    expect((await ask()).text).not.toBe('hit 1')
  })

  it('leaves other addresses alone', async () => {
    const { ask } = await gateway(fresh)
    await ask()
    await ask({}, 'POST', '/c/y')
    expect((await ask()).text).toBe('hit 1')
  })
})

describe('cache_options beside cache_mode', () => {
  it('say which paths take part', async () => {
    const { ask } = await gateway(fresh, {
      version_data: {
        not_versioned: true,
        versions: { Default: { name: 'Default', use_extended_paths: true, extended_paths: { cache: ['/in'] } } },
      },
    })
    await ask({}, 'GET', '/c/in')
    expect((await ask({}, 'GET', '/c/in')).text).toBe('hit 1')
    await ask({}, 'GET', '/c/out')
    expect((await ask({}, 'GET', '/c/out')).text).toBe('hit 3')
  })

  it('share answers between clients', async () => {
    const { ask } = await gateway(fresh)
    await ask({ 'x-real-ip': '10.0.0.1' })
    expect((await ask({ 'x-real-ip': '10.0.0.2' })).text).toBe('hit 1')
  })

  it('bound what is guessed: with a timeout of 0 nothing is', async () => {
    const { ask } = await gateway({ 'last-modified': formatHttpDate(start - 1e9) }, {}, { cache_timeout: 0 })
    await ask()
    expect((await ask()).text).toBe('hit 2')
  })
})
