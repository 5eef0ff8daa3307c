import { describe, expect, it } from 'vitest'
import type { Clock } from '../ports/clock.ts'
import type { StoredResponse } from '../ports/stored-response.ts'
import { makeMemoryResponses } from './memory-responses.ts'

const clock: Clock = { now: () => 0, after: () => () => {}, breathe: () => Promise.resolve() }

function response(bytes: number): StoredResponse {
  return { status: 200, headers: [], body: new Uint8Array(bytes), bodyLength: undefined, etag: undefined }
}

describe('cached responses in memory', () => {
  it('never exceed `maxBytes`; the least recently used ones are evicted first', () => {
    const responses = makeMemoryResponses({ clock, maxBytes: 10_000 })
    for (let i = 0; i < 100; i++) {
      responses.put('a', `n${i}`, response(1000), 60_000, responses.version('a'))
      responses.get('a', 'n0')
      expect(responses.bytes).toBeLessThanOrEqual(10_000)
    }
    expect(responses.get('a', 'n0')).toBeDefined()
    expect(responses.get('a', 'n99')).toBeDefined()
    expect(responses.get('a', 'n50')).toBeUndefined()
  })

  it('are not stored if they are larger than `maxBytes`, or if it is 0', () => {
    for (const maxBytes of [0, 10_000]) {
      const responses = makeMemoryResponses({ clock, maxBytes })
      responses.put('a', 'n', response(20_000), 60_000, responses.version('a'))
      expect(responses.get('a', 'n')).toBeUndefined()
      expect(responses.bytes).toBe(0)
    }
  })

  it('of an invalidated API are removed in slices', async () => {
    const responses = makeMemoryResponses({ clock })
    for (let i = 0; i < 5000; i++) responses.put('a', `n${i}`, response(10), 60_000, responses.version('a'))
    responses.invalidate('a')
    expect(responses.get('a', 'n4999')).toBeUndefined()
    responses.put('a', 'n4998', response(10), 60_000, responses.version('a'))
    for (let i = 0; i < 10; i++) await Promise.resolve()
    expect(responses.get('a', 'n4998')).toBeDefined()
    expect(responses.bytes).toBeLessThan(1000)
  })

  it('in progress are stored unless their own name was removed, for 1,000 removed names', () => {
    const responses = makeMemoryResponses({ clock })
    const version = responses.version('a')
    for (let i = 0; i < 999; i++) responses.remove('a', `n${i}`)
    responses.put('a', 'other', response(1), 60_000, version)
    expect(responses.get('a', 'other')).toBeDefined()
    responses.put('a', 'n0', response(1), 60_000, version)
    expect(responses.get('a', 'n0')).toBeUndefined()
    for (let i = 1000; i < 3000; i++) responses.remove('a', `n${i}`)
    for (const name of ['n0', 'n2999', 'late']) responses.put('a', name, response(1), 60_000, version)
    expect(['n0', 'n2999', 'late'].map((name) => responses.get('a', name))).toEqual([undefined, undefined, undefined])
    responses.put('a', 'late', response(1), 60_000, responses.version('a'))
    expect(responses.get('a', 'late')).toBeDefined()
  })
})
