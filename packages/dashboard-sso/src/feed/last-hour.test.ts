import type { RequestRecord } from '@turnpike/core/pipeline'
import { describe, expect, it } from 'vitest'
import { makeHistory } from './last-hour.ts'

const minute = 60_000

function request(change: Partial<RequestRecord> = {}): RequestRecord {
  return { orgId: 'org1', totalMs: 10, upstreamAddress: 'up:80', rejection: undefined, ...change } as RequestRecord
}

function start() {
  let now = 1000 * minute
  const history = makeHistory({ now: () => now }, ['org1', 'org2'])
  return {
    history,
    advance(ms: number) {
      now += ms
    },
    last: (org = 'org1') => history.of((orgId) => orgId === org).at(-1),
  }
}

describe('the history of the last hour', () => {
  it('counts requests and rejections by stage, minute by minute', () => {
    const { history, advance, last } = start()
    const rejection = { stage: 'key-limits', code: 'rate', message: '' }
    history.note(request())
    history.note(request({ rejection, upstreamAddress: '' }))
    history.note(request({ rejection: { ...rejection, stage: '' }, upstreamAddress: '' }))
    expect(last()).toMatchObject({ requests: 3, rejections: { 'key-limits': 1, gateway: 1 } })
    advance(minute)
    expect(last()).toMatchObject({ requests: 0, rejections: {}, p50: 0 })
    expect(history.of(() => true)).toHaveLength(60)
    expect(history.of(() => true).at(-2)?.requests).toBe(3)
  })

  it('forgets after an hour, also when the place in the ring is used again', () => {
    const { history, advance } = start()
    history.note(request())
    advance(60 * minute)
    expect(history.of(() => true).every(({ requests }) => requests === 0)).toBe(true)
    history.note(request())
    expect(history.of(() => true).map(({ requests }) => requests)).toEqual([...Array(59).fill(0), 1])
  })

  it('has percentiles that are at most a fifth too high', () => {
    const { history, last } = start()
    for (let ms = 1; ms <= 1000; ms++) history.note(request({ totalMs: ms }))
    for (const [share, name] of [
      [500, 'p50'],
      [950, 'p95'],
      [990, 'p99'],
    ] as const) {
      const shown = last()?.[name] ?? 0
      expect(shown).toBeGreaterThanOrEqual(share)
      expect(shown).toBeLessThanOrEqual(share * 1.2)
    }
  })

  it('takes a duration over all bounds', () => {
    const { history, last } = start()
    history.note(request({ totalMs: 10_000_000 }))
    expect(last()?.p50).toBeGreaterThan(60_000)
  })

  it('keeps organisations apart and ignores unknown ones', () => {
    const { history, last } = start()
    history.note(request())
    history.note(request({ orgId: 'unknown' }))
    expect(last('org2')?.requests).toBe(0)
    expect(history.of(() => true).at(-1)?.requests).toBe(1)
  })
})
