import { describe, expect, it } from 'vitest'
import { makeManualClock } from '../../../test/support/manual-clock.ts'
import {
  bytes,
  cached,
  cachingGateway,
  handFed,
  type Reply,
  summaryOf,
} from '../../../test/support/pipeline/caching-gateway.ts'
import type { UpstreamResponse } from '../../ports/upstream.ts'

/** A gateway whose upstream responds when the test releases it. */
async function slowGateway(mode: 'compatible' | 'rfc9111') {
  const clock = makeManualClock(Date.UTC(2026, 0, 1))
  const calls: ((reply?: Partial<Reply>) => void)[] = []
  const headers = ['cache-control', 'max-age=60']
  const more = mode === 'rfc9111' ? { cache_mode: 'rfc9111' } : {}
  const { engine } = await cachingGateway(
    { cache_options: cached, ...more },
    {},
    {
      engine: { clock },
      upstream: () =>
        new Promise<UpstreamResponse>((resolve) => {
          const text = `call ${calls.length + 1}`
          const whole = { kind: 'response', status: 200, headers, body: bytes(text), bodyLength: undefined }
          calls.push((reply) => resolve({ ...whole, ...reply } as UpstreamResponse))
        }),
    },
  )
  const send = async (url = '/c/x') => summaryOf(await engine.send('GET', url))
  /** Sends this many requests at once. */
  const together = async (count: number, url?: string) => {
    const sent = Array.from({ length: count }, () => send(url))
    await clock.run(1)
    return sent
  }
  const textsOf = async (sent: Awaited<ReturnType<typeof together>>) =>
    (await Promise.all(sent)).map(({ text }) => text)
  return { clock, calls, together, textsOf }
}

describe.each(['compatible', 'rfc9111'] as const)('concurrent misses, %s', (mode) => {
  it('make one call, and share its response', async () => {
    const { calls, together, textsOf } = await slowGateway(mode)
    const sent = await together(5)
    expect(calls).toHaveLength(1)
    calls[0]?.()
    expect(await textsOf(sent)).toEqual(Array(5).fill('call 1'))
    expect(calls).toHaveLength(1)
  })

  it('of different entries do not wait for each other', async () => {
    const { calls, together } = await slowGateway(mode)
    await together(2, '/c/x')
    await together(2, '/c/y')
    expect(calls).toHaveLength(2)
  })

  it('call for themselves as soon as a head shows that its response is not stored', async () => {
    const { clock, calls, together, textsOf } = await slowGateway(mode)
    const sent = await together(3)
    const { stream, sink } = handFed()
    calls[0]?.({ headers: ['cache-control', 'private'], body: stream })
    await clock.run(1)
    expect(calls).toHaveLength(3)
    for (const release of calls.slice(1)) release()
    sink().data(bytes('call 1'))
    sink().end()
    expect((await textsOf(sent)).sort()).toEqual(['call 1', 'call 2', 'call 3'])
    // Nobody waits for an entry whose last response was not shared.
    const later = await together(2, '/c/z')
    calls.at(-1)?.({ headers: ['cache-control', 'private'] })
    await clock.run(1)
    calls.at(-1)?.({ headers: ['cache-control', 'private'] })
    await textsOf(later)
    const before = calls.length
    await together(2, '/c/z')
    expect(calls).toHaveLength(before + 2)
  })

  it('call for themselves after a second', async () => {
    const { clock, calls, together, textsOf } = await slowGateway(mode)
    const sent = await together(3)
    await clock.run(900)
    expect(calls).toHaveLength(1)
    await clock.run(100)
    expect(calls).toHaveLength(3)
    for (const release of calls) release()
    expect((await textsOf(sent)).sort()).toEqual(['call 1', 'call 2', 'call 3'])
  })

  it('call for themselves if the first one fails', async () => {
    const { clock, calls, together } = await slowGateway(mode)
    const sent = await together(2)
    calls[0]?.({ kind: 'error', reason: 'refused' } as Partial<Reply>)
    await clock.run(1)
    expect(calls).toHaveLength(2)
    calls[1]?.()
    expect((await Promise.all(sent)).map(({ status }) => status < 400).sort()).toEqual([false, true])
  })
})
