import { describe, expect, it } from 'vitest'
import { makeCachedGateway as gateway, type Reply } from '../../../test/support/cached-gateway.ts'
import { makeManualClock } from '../../../test/support/manual-clock.ts'
import { requestOf } from '../../../test/support/test-engine.ts'
import type { ByteSink, ByteStream } from '../../http/byte-stream.ts'

const control = { 'cache-control': 'max-age=10, stale-while-revalidate=20' }

/** Lets the promises of background requests settle. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('stale-while-revalidate', () => {
  it('serves the stale response at once and refreshes it by one background request', async () => {
    const { engine, sendRequest } = await gateway(control)
    await sendRequest()
    engine.advance(11_000)
    const both = await Promise.all([sendRequest(), sendRequest()])
    expect(both.map(({ text, age }) => [text, age])).toEqual([
      ['hit 1', '11'],
      ['hit 1', '11'],
    ])
    await settle()
    expect(engine.upstreamRequests).toHaveLength(2)
    expect(await sendRequest()).toMatchObject({ text: 'hit 2', age: '0' })
  })

  it('ends after its time: the client then waits for the upstream', async () => {
    const { engine, sendRequest } = await gateway(control)
    await sendRequest()
    engine.advance(30_001)
    expect((await sendRequest()).text).toBe('hit 2')
  })

  it.each(['must-revalidate', 'proxy-revalidate', 's-maxage=10', 'no-cache'])(
    'does not apply with %s',
    async (more) => {
      const { engine, sendRequest } = await gateway({ 'cache-control': `${control['cache-control']}, ${more}` })
      await sendRequest()
      engine.advance(11_000)
      expect((await sendRequest()).text).toBe('hit 2')
    },
  )

  it('revalidates with the stored validator, without conditions and ranges of the client', async () => {
    const { engine, play, sendRequest, sentHeader } = await gateway({ ...control, etag: '"a"' })
    await sendRequest()
    engine.advance(11_000)
    play({ ...control, status: 304, etag: '"a"' })
    const conditions = { 'if-none-match': '"mine"', 'if-modified-since': 'x', 'if-range': '"a"', range: 'bytes=0-1' }
    expect(await sendRequest(conditions)).toMatchObject({ status: 206, text: 'hi' })
    await settle()
    const sent = ['if-none-match', 'if-modified-since', 'if-range', 'range'].map(sentHeader)
    expect(sent).toEqual(['"a"', undefined, undefined, undefined])
    expect(await sendRequest()).toMatchObject({ text: 'hit 1', age: '0' })
  })

  it('sends GET for a HEAD request, as the client whose request found it stale', async () => {
    const { engine, sendRequest, sentHeader } = await gateway({
      'cache-control': `public, ${control['cache-control']}`,
    })
    await sendRequest()
    engine.advance(11_000)
    await engine.send('HEAD', '/c/x', { authorization: 'Basic bWU6bWU=' })
    await settle()
    expect([engine.upstreamRequests[1]?.method, sentHeader('authorization')]).toEqual(['GET', 'Basic bWU6bWU='])
    expect((await sendRequest()).text).toBe('hit 2')
  })

  it('continues when the client disconnects, and does not replace its listener', async () => {
    const { engine, sendRequest } = await gateway(control)
    await sendRequest()
    engine.advance(11_000)
    const listeners: unknown[] = []
    await engine.engine.handle({ ...requestOf('GET', '/c/x'), onAbort: (listener) => listeners.push(listener) })
    await settle()
    expect(listeners).toEqual([])
    expect((await sendRequest()).text).toBe('hit 2')
  })

  it.each([{ failure: 'refused' }, { status: 503 }] as Reply[])('keeps the stale response after %j', async (reply) => {
    const { engine, play, sendRequest } = await gateway(control)
    await sendRequest()
    engine.advance(11_000)
    play(reply)
    await sendRequest()
    await settle()
    expect((await sendRequest()).text).toBe('hit 1')
    await settle()
    expect(engine.upstreamRequests).toHaveLength(3)
    play(control)
    await sendRequest()
    await settle()
    expect((await sendRequest()).age).toBe('0')
  })

  it('removes the response if the new one may not be stored', async () => {
    const { engine, play, sendRequest } = await gateway(control)
    await sendRequest()
    engine.advance(11_000)
    play({ 'cache-control': 'no-store' })
    await sendRequest()
    await settle()
    await sendRequest()
    expect((await sendRequest()).text).toBe('hit 4')
  })

  it('is not recorded and consumes no quota', async () => {
    const { engine, sendRequest } = await gateway(
      { 'cache-control': `public, ${control['cache-control']}` },
      { use_keyless: false, auth: { auth_header_name: 'X-Key' } },
    )
    const rights = { c: { api_id: 'c', versions: ['Default'] } }
    await engine.putKey('org1ann', { org_id: 'org1', access_rights: rights, quota_max: 100, quota_renewal_rate: 60 })
    const me = { 'x-key': 'org1ann' }
    await sendRequest(me)
    engine.advance(11_000)
    await sendRequest(me)
    await settle()
    expect(engine.upstreamRequests).toHaveLength(2)
    expect((await sendRequest(me)).headers['x-ratelimit-remaining']).toBe('97')
  })

  it('is not started by explain', async () => {
    const { engine, sendRequest } = await gateway(control)
    await sendRequest()
    engine.advance(11_000)
    await engine.engine.explain(requestOf('GET', '/c/x'), true, () => 0)
    await settle()
    expect(engine.upstreamRequests).toHaveLength(1)
  })
})

describe('the body of a background request', () => {
  it('is cancelled if it never ends, and the next refresh starts', async () => {
    const clock = makeManualClock(Date.UTC(2026, 0, 1))
    const { engine, play, sendRequest } = await gateway(control, {}, {}, { clock })
    await sendRequest()
    await clock.run(11_000)
    const endless = streamThatNeverEnds()
    play({ ...control, body: endless.stream })
    await sendRequest()
    await clock.run(15_000)
    await sendRequest()
    expect(engine.upstreamRequests).toHaveLength(2)
    await clock.run(50_000)
    expect(endless.cancelled).toBe(true)
  })

  it('is cancelled if the response is not stored', async () => {
    const { engine, play, sendRequest } = await gateway(control)
    await sendRequest()
    engine.advance(11_000)
    const endless = streamThatNeverEnds()
    play({ 'cache-control': 'no-store', body: endless.stream })
    await sendRequest()
    await settle()
    expect(endless.cancelled).toBe(true)
  })
})

function streamThatNeverEnds() {
  const state = {
    cancelled: false,
    stream: {
      pipe(sink: ByteSink) {
        sink.data(new Uint8Array(1))
      },
      pause() {},
      resume() {},
      cancel() {
        state.cancelled = true
      },
    } satisfies ByteStream,
  }
  return state
}
