import { describe, expect, it } from 'vitest'
import {
  bytes,
  cached,
  cachingGateway as gateway,
  handFed,
  marker,
} from '../../../test/support/pipeline/caching-gateway.ts'
import { definitionOf } from '../../../test/support/test-engine.ts'
import type { ByteStream } from '../../http/byte-stream.ts'
import { headerOf } from '../../http/headers.ts'
import { makeMemorySignals } from '../../store-memory/signals-memory.ts'
import { withNoopStages } from '../compile/noop-stages.ts'
import { stageOrder } from '../stage-order.ts'

describe('streaming bodies', () => {
  it('reach the client as they arrive, and are cached after the last byte', async () => {
    const { stream, sink } = handFed()
    const { engine, sendRequest } = await gateway({}, { body: stream })
    const response = await engine.send('GET', '/c/x')
    const seen: string[] = []
    ;(response.body as ByteStream).pipe({
      data: (chunk) => seen.push(new TextDecoder().decode(chunk)) > 0,
      end: () => void seen.push('end'),
      fail: () => void seen.push('fail'),
    })
    sink().data(bytes('one,'))
    expect(seen).toEqual(['one,'])
    sink().data(bytes('two'))
    sink().end()
    expect(seen).toEqual(['one,', 'two', 'end'])
    expect(await sendRequest('GET', '/c/x')).toMatchObject({ text: 'one,two', cached: true })
  })

  it('are paused only by the client', async () => {
    const { stream, sink, calls } = handFed()
    const { engine } = await gateway({}, { body: stream })
    const body = (await engine.send('GET', '/c/x')).body as ByteStream
    body.pipe({ data: () => false, end() {}, fail() {} })
    expect(sink().data(bytes('x'))).toBe(false)
    body.pause()
    body.resume()
    expect(calls).toEqual(['pause', 'resume'])
  })

  it('that fail or are cancelled are not cached', async () => {
    for (const last of ['fail', 'cancel'] as const) {
      const { stream, sink, calls } = handFed()
      const { engine } = await gateway({}, { body: stream })
      const body = (await engine.send('GET', '/c/x')).body as ByteStream
      const ended: string[] = []
      body.pipe({ data: () => true, end: () => void ended.push('end'), fail: () => void ended.push('fail') })
      sink().data(bytes('half'))
      if (last === 'fail') sink().fail(new Error('reset'))
      else body.cancel()
      expect([...ended, ...calls]).toEqual([last])
      expect(headerOf((await engine.send('GET', '/c/x')).headers, marker)).toBeUndefined()
    }
  })

  it('that are too long are forwarded and not cached, with and without Content-Length', async () => {
    const settings = { settings: { cache: { maxBytes: 1000, maxBodyBytes: 4 } } }
    const whole = await gateway({}, { body: bytes('12345') }, settings)
    await whole.sendRequest('GET', '/c/x')
    expect((await whole.sendRequest('GET', '/c/x')).cached).toBe(false)
    const { stream, sink } = handFed()
    const streamed = await gateway({}, { body: stream }, settings)
    const body = (await streamed.engine.send('GET', '/c/x')).body as ByteStream
    const sizes: number[] = []
    body.pipe({ data: (chunk) => sizes.push(chunk.length) > 0, end() {}, fail() {} })
    for (let i = 0; i < 3; i++) sink().data(bytes('12'))
    sink().end()
    expect(sizes).toEqual([2, 2, 2])
    expect(headerOf((await streamed.engine.send('GET', '/c/x')).headers, marker)).toBeUndefined()
  })

  it('of event streams are never cached', async () => {
    const { stream } = handFed()
    const { engine } = await gateway({}, { body: stream, headers: ['content-type', 'text/event-stream'] })
    expect((await engine.send('GET', '/c/x')).body).toBe(stream)
  })
})

describe('invalidating the cache of an API', () => {
  it('takes effect at once and only for this API', async () => {
    const { engine, sendRequest } = await gateway(
      {},
      {},
      { definitions: [definitionOf('c', { cache_options: cached }), definitionOf('c1', { cache_options: cached })] },
    )
    await sendRequest('GET', '/c/x')
    await sendRequest('GET', '/c1/x')
    engine.store.responses.invalidate('c')
    expect((await sendRequest('GET', '/c/x')).cached).toBe(false)
    expect((await sendRequest('GET', '/c1/x')).cached).toBe(true)
  })

  it('prevents responses in progress from being cached', async () => {
    const { stream, sink } = handFed()
    const { engine } = await gateway({}, { body: stream })
    const body = (await engine.send('GET', '/c/x')).body as ByteStream
    body.pipe({ data: () => true, end() {}, fail() {} })
    sink().data(bytes('old'))
    engine.store.responses.invalidate('c')
    sink().end()
    expect(headerOf((await engine.send('GET', '/c/x')).headers, marker)).toBeUndefined()
  })

  it('follows signals of other nodes', async () => {
    const signals = makeMemorySignals()
    const { sendRequest } = await gateway({}, {}, { engine: { signals } })
    await sendRequest('GET', '/c/x')
    await signals.publish({ kind: 'cache-invalidated', apiId: 'c' })
    await Promise.resolve()
    expect((await sendRequest('GET', '/c/x')).cached).toBe(false)
  })
})

describe('no-op stages between all stages', () => {
  it('do not affect caching and response stages', async () => {
    const injector = { name: 'header_injector', options: { add_headers: { 'X-New': '1' } } }
    const { sendRequest } = await gateway(
      { response_processors: [injector] },
      {},
      { engine: { order: withNoopStages(stageOrder) } },
    )
    await sendRequest('GET', '/c/x')
    const { cached: again, headers } = await sendRequest('GET', '/c/x')
    expect([again, headers['x-new'], headers['x-ratelimit-limit']]).toEqual([true, '1', '0'])
  })
})
