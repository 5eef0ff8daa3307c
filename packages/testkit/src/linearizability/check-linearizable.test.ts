import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { checkLinearizable } from './check-linearizable.ts'
import { type Consume, type Consumed, limitModel, type RecordCall, type RecordReply, recordModel } from './models.ts'
import type { Operation } from './operation.ts'
import { makeHistoryRecorder } from './record-history.ts'
import { showLinearizability } from './show-linearizability.ts'

const request = (
  client: string,
  startedAt: number,
  endedAt?: number,
  output?: Consumed,
): Operation<Consume, Consumed> => {
  const base = { client, key: 'quota', input: { kind: 'consume' } as const, startedAt }
  return endedAt === undefined || output === undefined ? base : { ...base, endedAt, output }
}
const allowed = (remaining: number): Consumed => ({ allowed: true, remaining })
const rejected: Consumed = { allowed: false }

describe('a counter', () => {
  it('concurrent requests may be in any order, those after each other may not', () => {
    const concurrent = [request('a', 0, 10, allowed(0)), request('b', 5, 15, allowed(1))]
    expect(checkLinearizable(limitModel(2), concurrent)).toMatchObject({
      verdict: 'linearizable',
      orders: new Map([['quota', [concurrent[1], concurrent[0]]]]),
    })
    const apart = [request('a', 0, 10, allowed(0)), request('b', 11, 15, allowed(1))]
    expect(checkLinearizable(limitModel(2), apart).verdict).toBe('not linearizable')
  })

  it('a request with unknown result may have counted, also long after its start, but only once', () => {
    const history = [request('a', 0), request('b', 100, 110, allowed(1)), request('c', 120, 130, rejected)]
    expect(checkLinearizable(limitModel(2), history).verdict).toBe('linearizable')
    expect(checkLinearizable(limitModel(1), [request('a', 0), request('b', 1, 2, allowed(0))]).verdict).toBe(
      'linearizable',
    )
    expect(checkLinearizable(limitModel(3), [request('a', 0), request('b', 1, 2, allowed(0))]).verdict).toBe(
      'not linearizable',
    )
  })

  it('keys are independent of each other', () => {
    const history = [request('a', 0, 1, allowed(0)), { ...request('b', 2, 3, allowed(0)), key: 'other' }]
    expect(checkLinearizable(limitModel(1), history).verdict).toBe('linearizable')
  })

  it('thousands of requests of many clients, some without a result, are decided within the default bounds', () => {
    const max = 1500
    const history = Array.from({ length: 3000 }, (_, i) => {
      if (i % 100 === 99) return request(`c${i % 20}`, i)
      const used = i - Math.floor(i / 100)
      return request(`c${i % 20}`, i - (i % 20), i + 20, used < max ? { allowed: true } : rejected)
    })
    expect(checkLinearizable(limitModel(max), history).verdict).toBe('linearizable')
    const late = [...history, request('late', 5000, 5001, { allowed: true })]
    expect(checkLinearizable(limitModel(max), late).verdict).toBe('not linearizable')
  })
})

describe('a record', () => {
  const call = (client: string, input: RecordCall, startedAt: number, endedAt: number, output: RecordReply) => ({
    client,
    key: 'key k1',
    input,
    startedAt,
    endedAt,
    output,
  })
  const stale = [
    call('node 1', { kind: 'create', value: 'a' }, 0, 4, { found: true }),
    call('node 2', { kind: 'read' }, 1, 6, { found: true, value: 'a' }),
    call('node 1', { kind: 'update', value: 'b' }, 10, 14, { found: true }),
    call('node 2', { kind: 'read' }, 20, 30, { found: true, value: 'a' }),
    call('node 1', { kind: 'delete' }, 40, 45, { found: true }),
  ]

  it('a read after an update returns the new value', () => {
    const report = checkLinearizable(recordModel(), stale)
    expect(showLinearizability(report)).toBe(
      [
        'not linearizable: no order of these operations on key k1 explains their results',
        '  node 1  |-------|                                 0.0–4.0 ms          update, value b → found',
        '  node 2                      |------------------|  10.0–20.0 ms        read → found, value a',
        '  This holds whether or not 2 other operations took effect:',
        '  create, value a, read',
      ].join('\n'),
    )
  })
})

describe('bounds and mistakes', () => {
  const crowd = Array.from({ length: 30 }, (_, i) => request(`c${i}`, i / 100, 100 + i, allowed(39 - i)))

  it('a search that is longer than its bounds is undecided, not accepted', () => {
    const report = checkLinearizable(limitModel(40), crowd, { maxConfigurations: 3 })
    expect(report).toEqual({ verdict: 'undecided', keys: ['quota'] })
    expect(showLinearizability(report)).toContain('undecided: the search was longer than its bounds for quota')
  })

  it.each([
    ['operation 0 of the history: it ended (1) before it started (2)', request('a', 2, 1, rejected)],
    ['operation 0 of the history: startedAt is NaN, expected a time in milliseconds', request('a', Number.NaN)],
    ['operation 0 of the history: give both endedAt and output, or none of them', { ...request('a', 2), endedAt: 3 }],
    [
      'operation 0 of the history: endedAt is Infinity; leave it out if the result is unknown',
      request('a', 2, Number.POSITIVE_INFINITY, rejected),
    ],
  ])('%s', (message, operation) => {
    expect(() => checkLinearizable(limitModel(1), [operation])).toThrow(new TypeError(message))
  })

  it('a bound that is not above 0 is an error', () => {
    expect(() => checkLinearizable(limitModel(1), [], { maxMs: 0 })).toThrow('maxMs is 0, expected a number above 0')
  })
})

describe('the recorder', () => {
  it('records times and outputs; a rejection or undefined is an unknown result', async () => {
    const recorder = makeHistoryRecorder<Consume, Consumed>()
    const consume = { kind: 'consume' } as const
    await Promise.all([
      recorder.record('a', 'k', consume, async () => {
        await sleep(2)
        return rejected
      }),
      recorder.record('b', 'k', consume, () => Promise.reject(new Error('timeout'))),
      recorder.record('c', 'k', consume, async () => undefined),
    ])
    const [a, b, c] = recorder.operations
    expect(a).toMatchObject({ client: 'a', key: 'k', input: consume, output: rejected })
    expect(a?.endedAt).toBeGreaterThan(a?.startedAt ?? 0)
    expect([b, c].map((one) => one?.endedAt)).toEqual([undefined, undefined])
    expect(checkLinearizable(limitModel(2), recorder.operations).verdict).toBe('linearizable')
  })
})
