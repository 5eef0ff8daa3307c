import { describe, expect, it } from 'vitest'
import { makeCachedGateway as gateway } from '../../../test/support/cached-gateway.ts'
import { headerOf } from '../../http/headers.ts'
import { formatHttpDate } from '../../lib/text/time.ts'
import type { UpstreamRequest } from '../../ports/upstream.ts'

const text = '0123456789'
const bytes = (part: string) => new TextEncoder().encode(part)
const whole = { 'cache-control': 'max-age=60', etag: '"a"', body: bytes(text) }

/** An upstream that serves single ranges of `text`, and 304 if the client has the tag. */
function server({ headers }: UpstreamRequest) {
  if (headerOf(headers, 'if-none-match') === '"a"') return { status: 304, etag: '"a"', 'cache-control': 'max-age=60' }
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headerOf(headers, 'range') ?? '') ?? []
  if (first === undefined) return whole
  const end = last === '' ? text.length : Number(last) + 1
  return {
    ...whole,
    status: 206,
    body: bytes(text.slice(Number(first), end)),
    'content-range': `bytes ${first}-${end - 1}/${text.length}`,
  }
}

describe('a stored complete response', () => {
  it.each([
    ['bytes=0-1', '01', 'bytes 0-1/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=5-99', '56789', 'bytes 5-9/10'],
  ])('is the source of the range %s', async (range, part, contentRange) => {
    const { engine, sendRequest } = await gateway(whole)
    await sendRequest()
    engine.advance(5000)
    expect(await sendRequest({ range })).toMatchObject({
      status: 206,
      text: part,
      age: '5',
      headers: { 'content-range': contentRange, etag: '"a"', 'cache-control': 'max-age=60' },
    })
    expect(engine.upstreamRequests).toHaveLength(1)
  })

  it('has no byte in a range behind its end: 416', async () => {
    const { engine, sendRequest } = await gateway(whole)
    await sendRequest()
    expect(await sendRequest({ range: 'bytes=10-' })).toMatchObject({
      status: 416,
      text: '',
      headers: { 'content-range': 'bytes */10' },
    })
    expect(engine.upstreamRequests).toHaveLength(1)
  })

  it('is served whole if the request is HEAD, or If-Range has another tag', async () => {
    const { engine, sendRequest } = await gateway(whole)
    await sendRequest()
    expect(await engine.send('HEAD', '/c/x', { range: 'bytes=0-1' })).toMatchObject({ status: 200, bodyLength: 10 })
    expect(await sendRequest({ range: 'bytes=0-1', 'if-range': '"old"' })).toMatchObject({ status: 200, text })
    expect(await sendRequest({ range: 'bytes=0-1', 'if-range': '"a"' })).toMatchObject({ status: 206, text: '01' })
    expect(engine.upstreamRequests).toHaveLength(1)
  })

  it('with another status than 200 is served whole', async () => {
    const { sendRequest } = await gateway({ ...whole, status: 404 })
    await sendRequest()
    expect(await sendRequest({ range: 'bytes=0-1' })).toMatchObject({ status: 404, text })
  })

  it('responds with 304 before it looks at the range', async () => {
    const { sendRequest } = await gateway(whole)
    await sendRequest()
    expect((await sendRequest({ range: 'bytes=0-1', 'if-none-match': '"a"' })).status).toBe(304)
  })

  it('is revalidated for a range request, and then serves the range', async () => {
    const { engine, sendRequest } = await gateway(server)
    await sendRequest()
    engine.advance(61_000)
    expect(await sendRequest({ range: 'bytes=2-3' })).toMatchObject({ status: 206, text: '23', age: '0' })
    expect(await sendRequest()).toMatchObject({ status: 200, text })
    expect(engine.upstreamRequests).toHaveLength(2)
  })

  it('with If-Range and a date, the request goes to the upstream', async () => {
    const { engine, sendRequest } = await gateway(server)
    await sendRequest()
    await sendRequest({ range: 'bytes=0-1', 'if-range': formatHttpDate(0) })
    expect(engine.upstreamRequests).toHaveLength(2)
  })
})

describe('a stored part', () => {
  it('is the source of ranges that it contains', async () => {
    const { engine, sendRequest } = await gateway(server)
    expect(await sendRequest({ range: 'bytes=4-8' })).toMatchObject({ status: 206, text: '45678' })
    for (const [range, part] of [
      ['bytes=4-8', '45678'],
      ['bytes=5-6', '56'],
    ] as const) {
      expect(await sendRequest({ range })).toMatchObject({
        status: 206,
        text: part,
        headers: { 'content-range': `${range.replace('=', ' ')}/10` },
      })
    }
    expect(engine.upstreamRequests).toHaveLength(1)
    expect(await sendRequest({ range: 'bytes=5-' })).toMatchObject({ text: '56789' })
    expect(engine.upstreamRequests).toHaveLength(2)
  })

  it('never answers a request for the whole, nor HEAD', async () => {
    const { engine, sendRequest } = await gateway(server)
    await sendRequest({ range: 'bytes=0-4' })
    await engine.send('HEAD', '/c/x')
    expect(engine.upstreamRequests).toHaveLength(2)
    expect(await sendRequest({ 'cache-control': 'only-if-cached' })).toMatchObject({ status: 504 })
    expect(await sendRequest()).toMatchObject({ status: 200, text })
    expect(engine.upstreamRequests).toHaveLength(3)
  })

  it('is completed by another one with the same strong tag', async () => {
    const { engine, sendRequest } = await gateway(server)
    await sendRequest({ range: 'bytes=0-4' })
    await sendRequest({ range: 'bytes=5-9' })
    expect(await sendRequest()).toMatchObject({ status: 200, text, headers: { 'x-svc-cached-response': '1' } })
    expect((await sendRequest()).headers['content-range']).toBeUndefined()
    expect(engine.upstreamRequests).toHaveLength(2)
  })

  it('is replaced by one with another tag', async () => {
    const { engine, play, sendRequest } = await gateway(server)
    await sendRequest({ range: 'bytes=0-4' })
    play({ ...whole, etag: '"b"', status: 206, body: bytes('fghij'), 'content-range': 'bytes 5-9/10' })
    await sendRequest({ range: 'bytes=5-9' })
    expect((await sendRequest({ range: 'bytes=5-6' })).text).toBe('fg')
    await sendRequest({ range: 'bytes=0-4' })
    expect(engine.upstreamRequests).toHaveLength(3)
  })

  it('is revalidated when it is stale', async () => {
    const { engine, sendRequest, sentHeader } = await gateway(server)
    await sendRequest({ range: 'bytes=4-8' })
    engine.advance(61_000)
    expect(await sendRequest({ range: 'bytes=4-5' })).toMatchObject({ status: 206, text: '45' })
    expect(sentHeader('if-none-match')).toBe('"a"')
    expect(await sendRequest({ range: 'bytes=4-8' })).toMatchObject({ status: 206, text: '45678' })
    expect(engine.upstreamRequests).toHaveLength(2)
  })

  it.each([
    ['has no Content-Range', { 'content-range': '' }],
    ['has several parts', { 'content-range': '', 'content-type': 'multipart/byteranges; boundary=x' }],
    ['has another length than its range', { 'content-range': 'bytes 0-3/10' }],
    ['may not be stored', { 'cache-control': 'private' }],
    ['sets a cookie', { 'set-cookie': 'a=b' }],
  ])('is not stored if it %s', async (_, headers) => {
    const part = { ...whole, status: 206, body: bytes('01234'), 'content-range': 'bytes 0-4/10' }
    const { engine, sendRequest } = await gateway({ ...part, ...headers })
    await sendRequest({ range: 'bytes=0-4' })
    await sendRequest({ range: 'bytes=0-4' })
    expect(engine.upstreamRequests).toHaveLength(2)
  })

  it('is removed by an unsafe request', async () => {
    const { engine, sendRequest } = await gateway(server)
    await sendRequest({ range: 'bytes=0-4' })
    await sendRequest({}, 'POST')
    await sendRequest({ range: 'bytes=0-4' })
    expect(engine.upstreamRequests).toHaveLength(3)
  })
})

describe('a range request', () => {
  it('stores the complete response with which an upstream ignores the range', async () => {
    const { engine, sendRequest } = await gateway(whole)
    expect(await sendRequest({ range: 'bytes=0-4' })).toMatchObject({ status: 200, text })
    expect(await sendRequest()).toMatchObject({ status: 200, text })
    expect(engine.upstreamRequests).toHaveLength(1)
  })

  it('for several ranges is forwarded and stores nothing', async () => {
    const { engine, sendRequest } = await gateway(whole)
    await sendRequest({ range: 'bytes=0-1,4-5' })
    await sendRequest()
    expect(engine.upstreamRequests).toHaveLength(2)
  })
})
