import { describe, expect, it } from 'vitest'
import { makeCachedGateway as gateway, type Reply } from '../../../test/support/cached-gateway.ts'
import { formatHttpDate } from '../../lib/text/time.ts'

const start = Date.UTC(2026, 0, 1)
const fresh = { 'cache-control': 'max-age=60' }

async function isStored(reply: Reply, request: Record<string, string> = {}, options: object = {}) {
  const { engine, sendRequest } = await gateway(reply, {}, options)
  await sendRequest(request)
  await sendRequest(request)
  return engine.upstreamRequests.length === 1
}

describe('CDN-Cache-Control', () => {
  it.each([
    ['max-age=60', { 'cache-control': 'no-store' }, true],
    ['max-age=60', { 'cache-control': 'max-age=0', expires: '0' }, true],
    ['max-age=0', fresh, false],
    ['private', fresh, false],
    ['no-store', fresh, false],
    ['no-cache', { ...fresh, expires: formatHttpDate(start + 1e6) }, false],
    ['foo', { expires: formatHttpDate(start + 1e6) }, false],
    ['max-age="60"', { 'cache-control': 'no-store' }, false],
    ['max-age=60, &&', { 'cache-control': 'no-store' }, false],
    ['max-age=0, &&', fresh, true],
  ])('%s replaces %j', async (targeted, headers, stored) => {
    expect(await isStored({ ...headers, 'cdn-cache-control': targeted })).toBe(stored)
  })

  it('replaces Expires also for statuses that are only stored with an explicit lifetime', async () => {
    const expires = formatHttpDate(start + 1e6)
    const anyAge = { 'cache-control': 'max-stale' }
    expect(await isStored({ status: 503, expires }, anyAge)).toBe(true)
    expect(await isStored({ status: 503, expires, 'cdn-cache-control': 'foo' }, anyAge)).toBe(false)
  })

  it('does not share cookies, nor responses to authenticated requests', async () => {
    expect(await isStored({ 'cdn-cache-control': 'max-age=60', 'set-cookie': 'a=b' })).toBe(false)
    expect(await isStored({ 'cache-control': 'public, s-maxage=60', 'set-cookie': 'a=b' })).toBe(false)
    const me = { authorization: 'Basic bWU6bWU=' }
    expect(await isStored({ ...fresh, 'cdn-cache-control': 'max-age=60' }, me)).toBe(false)
    expect(await isStored({ 'cdn-cache-control': 'max-age=60', 'cache-control': 'public' }, me)).toBe(false)
    expect(await isStored({ 'cdn-cache-control': 'public, max-age=60' }, me)).toBe(true)
  })

  it('reaches the client', async () => {
    const { sendRequest } = await gateway({ 'cdn-cache-control': 'max-age=60' })
    await sendRequest()
    expect((await sendRequest()).headers).toMatchObject({ 'cdn-cache-control': 'max-age=60' })
  })

  it('can be replaced by other fields, or by none', async () => {
    const reply = { 'cdn-cache-control': 'max-age=60', 'x-gw-cache': 'max-age=60', 'cache-control': 'no-store' }
    expect(await isStored(reply, {}, { target_headers: [] })).toBe(false)
    expect(await isStored(reply, {}, { target_headers: ['X-None'] })).toBe(false)
    expect(await isStored(reply, {}, { target_headers: ['X-None', 'X-GW-Cache'] })).toBe(true)
  })
})

describe('a 304 response to a revalidation', () => {
  async function revalidated(notModified: Reply, stored: Reply = {}) {
    const made = await gateway({ ...fresh, etag: '"a"', date: formatHttpDate(start), 'x-n': '1', ...stored })
    await made.sendRequest()
    made.engine.advance(61_000)
    made.play({ status: 304, ...notModified })
    return { ...made, response: await made.sendRequest() }
  }

  it('replaces the stored headers, Date and lifetime included', async () => {
    const date = formatHttpDate(start + 61_000)
    const headers = { date, 'cache-control': 'max-age=90', 'x-n': '2', expires: '0' }
    const { engine, response, sendRequest } = await revalidated(headers)
    expect(response).toMatchObject({ status: 200, text: 'hit 1', age: '0', headers: { ...headers, etag: '"a"' } })
    engine.advance(89_000)
    expect(await sendRequest()).toMatchObject({ text: 'hit 1', age: '89', headers })
  })

  it('keeps the headers that it does not have, and those that describe the body', async () => {
    const { response } = await revalidated(
      { 'content-encoding': 'gzip', 'content-length': '0', 'content-range': 'bytes 0-1/2' },
      { 'content-type': 'text/x' },
    )
    expect(response.headers).toMatchObject({ 'x-n': '1', 'content-type': 'text/x' })
    expect(Object.keys(response.headers)).not.toContain('content-encoding')
    expect(Object.keys(response.headers)).not.toContain('content-range')
  })

  it('with the age of another cache keeps that age', async () => {
    const { engine, response, sendRequest } = await revalidated({ age: '50' })
    expect(response.age).toBe('50')
    engine.advance(10_000)
    expect((await sendRequest()).status).toBe(200)
    expect(engine.upstreamRequests).toHaveLength(3)
  })

  it.each([
    ['"a"', '"a"', 3],
    ['W/"a"', 'W/"a"', 4],
    ['"a"', undefined, 4],
  ])('confirms all variants with its strong tag: %s and %s', async (stored, confirmed, requests) => {
    const reply = { ...fresh, vary: 'x-a', 'last-modified': formatHttpDate(start - 1e6), etag: stored }
    const { engine, play, sendRequest } = await gateway(reply)
    for (const value of ['1', '2']) await sendRequest({ 'x-a': value })
    engine.advance(61_000)
    play({ ...fresh, status: 304, 'x-n': '2', ...(confirmed === undefined ? {} : { etag: confirmed }) })
    await sendRequest({ 'x-a': '1' })
    expect(await sendRequest({ 'x-a': '2' })).toMatchObject({ text: 'hit 2', age: '0', headers: { 'x-n': '2' } })
    expect((await sendRequest({ 'x-a': '1' })).text).toBe('hit 1')
    expect(engine.upstreamRequests).toHaveLength(requests)
  })

  it('with another strong tag updates nothing, and the response is fetched again', async () => {
    const { play, response, sendRequest } = await revalidated({ etag: '"b"', 'x-n': '2' })
    expect(response).toMatchObject({ text: 'hit 1', headers: { 'x-n': '1', etag: '"a"' } })
    play({ ...fresh, etag: '"b"' })
    expect((await sendRequest()).text).toBe('hit 2')
  })

  it('that forbids storing removes the response', async () => {
    const { play, sendRequest, sentHeader } = await revalidated({ 'cache-control': 'no-store' })
    play(fresh)
    expect((await sendRequest()).text).toBe('hit 2')
    expect(sentHeader('if-none-match')).toBeUndefined()
  })
})

describe('a response without Date', () => {
  it('is stored with the time of its receipt', async () => {
    const { engine, sendRequest } = await gateway(fresh)
    await sendRequest()
    engine.advance(5000)
    expect((await sendRequest()).headers).toMatchObject({ date: formatHttpDate(start), age: '5' })
  })
})

describe('stale-if-error', () => {
  it.each([
    [500, 200],
    [502, 200],
    [503, 200],
    [504, 200],
    [501, 501],
    [404, 404],
  ])('of the response covers %i: the client gets %i', async (status, sent) => {
    const { engine, play, sendRequest } = await gateway({ 'cache-control': 'max-age=10, stale-if-error=20' })
    await sendRequest()
    engine.advance(11_000)
    play({ status })
    expect((await sendRequest()).status).toBe(sent)
  })

  it('of the request allows it too, unless the response forbids stale use', async () => {
    for (const [control, sent] of [
      ['max-age=10', 200],
      ['max-age=10, must-revalidate', 503],
    ] as const) {
      const { engine, play, sendRequest } = await gateway({ 'cache-control': control, etag: '"a"' })
      await sendRequest()
      engine.advance(29_000)
      play({ status: 503 })
      const accepts = { 'cache-control': 'stale-if-error=20' }
      expect((await sendRequest(accepts)).status, control).toBe(sent)
      engine.advance(2000)
      expect((await sendRequest(accepts)).status).toBe(503)
    }
  })
})
