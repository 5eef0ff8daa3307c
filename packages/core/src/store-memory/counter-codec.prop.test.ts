import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import type { RateAlgorithm } from '../ports/rate-limit.ts'
import type { Counter } from '../ports/store.ts'
import { CounterEncoder, decodeCounter } from './counter-codec.ts'
import { type CounterState, makeCounterOperations } from './counter-operations.ts'

const smoothing = { threshold: 2, trigger: 0.5, step: 1, delay: 1 }

const limits = fc.record({
  algorithm: fc.constantFrom<RateAlgorithm>('local', 'rolling', 'sentinel', 'fixed'),
  rate: fc.integer({ min: 1, max: 5 }),
  per: fc.integer({ min: 1, max: 4 }),
  smoothing: fc.option(fc.constant(smoothing), { nil: undefined }),
  oneLess: fc.boolean(),
})

const operations = fc.record({
  rate: fc.option(limits, { nil: undefined }),
  generation: fc.constantFrom('', '1', '1764000000', 'a ✓\ud800'),
  quota: fc.option(fc.record({ max: fc.integer({ min: 1, max: 6 }), renewalSeconds: fc.constantFrom(0, 3) }), {
    nil: undefined,
  }),
  endpoint: fc.constantFrom('', 'GET:/x'),
  amount: fc.integer({ min: 0, max: 3 }),
  pass: fc.integer({ min: -2000, max: 5000 }),
})

test.prop([fc.array(operations, { maxLength: 40 })])(
  'a counter that is encoded and decoded before each operation decides as one that is not',
  (steps) => {
    let time = 1_000_000
    const clock = { now: () => time }
    const plain = makeCounterOperations(new Map(), clock, undefined)
    const encoder = new CounterEncoder()
    const bytes = new Map<string, Uint8Array>()
    const loaded = new Map<string, CounterState>()
    const coded = makeCounterOperations(
      {
        get(key) {
          const found = bytes.get(key)
          if (found !== undefined && !loaded.has(key)) loaded.set(key, decodeCounter(found))
          return loaded.get(key)
        },
        set: (key, state) => void loaded.set(key, state),
      },
      clock,
      undefined,
    )
    for (const { pass, amount, ...limits } of steps) {
      time += pass
      const { endpoint } = limits
      const counter: Counter = { subject: 'k', kind: 'key', scope: '', id: `k${endpoint}`, ...limits }
      expect(coded.consume(counter, amount)).toEqual(plain.consume(counter, amount))
      // One byte before the record, so that its numbers are not aligned.
      for (const [key, state] of loaded)
        bytes.set(key, Buffer.concat([Buffer.of(0), encoder.encode(state)]).subarray(1))
      loaded.clear()
    }
  },
)
