import { collect } from '@turnpike/core/http'
import type { UpstreamRequest } from '@turnpike/core/ports'
import { describe, expect, it } from 'vitest'
import { makeVirtualClock } from '../virtual-clock.ts'
import { makeFakeUpstream } from './fake-upstream.ts'
import { makeMemoryLog } from './memory-log.ts'
import { makeSequentialIds } from './sequential-ids.ts'

const ask = (more: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
  method: 'GET',
  path: '/x',
  headers: [],
  body: undefined,
  bodyLength: undefined,
  timeoutMs: 0,
  unpack: false,
  ...more,
})

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('the fake upstream', () => {
  it('responds as its script says and records its requests', async () => {
    const upstream = makeFakeUpstream(makeVirtualClock(), ({ path }) => ({ status: 201, body: `for ${path}` }))
    const link = upstream.connect('http://a', { insecure: false })
    const answer = await link.send(ask({ method: 'POST', body: new TextEncoder().encode('sent') }))
    expect(answer).toMatchObject({ kind: 'response', status: 201, bodyLength: 6 })
    expect(upstream.requests).toHaveLength(1)
    expect(text(upstream.requests[0]?.body as Uint8Array)).toBe('sent')
    expect(upstream.openLinks('http://a')).toBe(1)
    link.release()
    link.release()
    expect(upstream.openLinks('http://a')).toBe(0)
  })

  it('streams chunks, and fails the body if the script says so', async () => {
    const clock = makeVirtualClock()
    const upstream = makeFakeUpstream(clock, () => ({ body: ['one ', 'two'], chunkDelayMs: 5 }))
    const link = upstream.connect('http://a', { insecure: false })
    const whole = await link.send(ask())
    if (whole.kind !== 'response' || whole.body === undefined || whole.body instanceof Uint8Array)
      throw new Error('no stream')
    const read = collect(whole.body)
    await clock.run(50)
    expect(text(await read)).toBe('one two')

    upstream.play(() => ({ body: 'half', breakOff: true }))
    const broken = await link.send(ask())
    if (broken.kind !== 'response' || broken.body === undefined || broken.body instanceof Uint8Array)
      throw new Error('no stream')
    await expect(collect(broken.body)).rejects.toThrow('breaks off')
  })

  it('times out, can be cancelled, and fails with the reasons of real upstreams', async () => {
    const clock = makeVirtualClock()
    const upstream = makeFakeUpstream(clock, () => ({ delayMs: 1000 }))
    const link = upstream.connect('http://a', { insecure: false })
    const late = link.send(ask({ timeoutMs: 100 }))
    await clock.run(100)
    expect(await late).toMatchObject({ kind: 'error', reason: 'timeout' })
    let cancel = () => {}
    const given = link.send(
      ask({
        onStart: (fn) => {
          cancel = fn
        },
      }),
    )
    cancel()
    expect(await given).toMatchObject({ kind: 'error', reason: 'cancelled' })
    upstream.play(() => ({ failure: 'refused' }))
    expect(await link.send(ask())).toMatchObject({ kind: 'error', reason: 'refused' })
    expect(upstream.underWay).toBe(0)
  })
})

describe('the other fakes', () => {
  it('makes ids that count up and look like UUIDs', () => {
    const ids = makeSequentialIds()
    expect(ids.uuid()).toMatch(/^[0-9a-f]{12}4[0-9a-f]{3}8[0-9a-f]{15}$/)
    expect(ids.uuid()).not.toBe(ids.uuid())
  })

  it('records log lines and finds a secret anywhere in them', () => {
    const log = makeMemoryLog()
    log.info('started', { port: 8080 })
    log.error('failed', { cause: new Error('with s3cret in it') })
    expect(log.lines.map(({ level }) => level)).toEqual(['info', 'error'])
    expect(log.mentions('s3cret')).toBe(true)
    expect(log.mentions('absent')).toBe(false)
  })
})
