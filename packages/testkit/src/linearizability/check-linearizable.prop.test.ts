/** The checker is compared with histories of known verdicts, and with all permutations of small histories. */
import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { checkLinearizable } from './check-linearizable.ts'
import {
  type Consume,
  type Consumed,
  limitModel,
  type RecordCall,
  type RecordReply,
  recordModel,
  windowLimitModel,
} from './models.ts'
import type { Operation, SequentialModel } from './operation.ts'

type Drawn = readonly {
  readonly call: number
  readonly before: number
  readonly after: number
  readonly fate: number
}[]

const drawn = (maxLength: number): fc.Arbitrary<Drawn> =>
  fc.array(fc.record({ call: fc.nat(99), before: fc.nat(30), after: fc.nat(30), fate: fc.nat(9) }), {
    minLength: 1,
    maxLength,
  })

const consume: Consume = { kind: 'consume' }
const recordCall = (code: number): RecordCall => {
  if (code % 4 === 0) return { kind: 'create', value: `v${code}` }
  if (code % 4 === 1) return { kind: 'update', value: `v${code}` }
  return { kind: code % 4 === 2 ? 'read' : 'delete' }
}

/**
 * Performs operations one after the other, ten time units apart, and widens the time of each at random. `fate` 0: the
 * result is lost; 1: the request is lost as well.
 */
function historyOf<Input, Output>(steps: Drawn, perform: (call: number) => readonly [Input, Output | undefined]) {
  return steps.flatMap(({ call, before, after, fate }, index): Operation<Input, Output>[] => {
    const at = index * 10
    const base = { client: `client ${index % 4}`, key: 'k', startedAt: at - before }
    if (fate === 1) return [{ ...base, input: perform(-1 - call)[0] }]
    const [input, output] = perform(call)
    return fate === 0 || output === undefined ? [{ ...base, input }] : [{ ...base, input, output, endedAt: at + after }]
  })
}

function counting(steps: Drawn, max: number): Operation<Consume, Consumed>[] {
  let used = 0
  return historyOf(steps, (call) => {
    if (call < 0) return [consume, undefined]
    const allowed = used < max
    if (allowed) used += 1
    return [consume, { allowed, remaining: max - used }]
  })
}

function recording(steps: Drawn): Operation<RecordCall, RecordReply>[] {
  let value: string | null = null
  return historyOf(steps, (code) => {
    if (code < 0) return [recordCall(-1 - code), undefined]
    const call = recordCall(code)
    const before: string | null = value
    if (call.kind === 'create' || (call.kind === 'update' && before !== null)) value = call.value
    if (call.kind === 'delete') value = null
    const found = call.kind === 'create' || before !== null
    return [call, call.kind === 'read' && before !== null ? { found, value: before } : { found }]
  })
}

/** Windows of `length` operations each. */
function countingInWindows(steps: Drawn, max: number, length: number) {
  let [index, window, used] = [-1, 0, 0]
  return historyOf(steps, (call) => {
    if (call < 0) return [consume, undefined]
    index += 1
    const next = Math.floor(index / length)
    if (next > window) [window, used] = [next, 0]
    used += 1
    return [consume, { allowed: used <= max, windowEndsAt: window }]
  })
}

/** Tries every order of every subset of the operations with unknown result. */
function bruteForce<State, Input, Output>(
  model: SequentialModel<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
): boolean {
  const search = (state: State, rest: readonly Operation<Input, Output>[]): boolean => {
    if (rest.every(({ endedAt }) => endedAt === undefined)) return true
    return rest.some((one) => {
      const isFirst = rest.every((other) => (other.endedAt ?? Number.POSITIVE_INFINITY) >= one.startedAt)
      const after = rest.filter((other) => other !== one)
      return isFirst && model.apply(state, one.input, one.output).some((next) => search(next, after))
    })
  }
  return search(model.initial, history)
}

const verdictOf = <State, Input, Output>(
  model: SequentialModel<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
) => checkLinearizable(model, history).verdict

describe('histories of a sequential execution with random overlaps are linearizable', () => {
  test.prop([drawn(80), fc.integer({ min: 1, max: 50 })])('a counter', (steps, max) => {
    expect(verdictOf(limitModel(max), counting(steps, max))).toBe('linearizable')
  })
  test.prop([drawn(60)])('a record', (steps) => {
    expect(verdictOf(recordModel(), recording(steps))).toBe('linearizable')
  })
  test.prop([drawn(40), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 12 })])(
    'a counter per window',
    (steps, max, length) => {
      expect(verdictOf(windowLimitModel(max), countingInWindows(steps, max, length))).toBe('linearizable')
    },
  )
})

describe('small histories have the verdict of a search of all orders', () => {
  const times = { startedAt: fc.nat(12), lasts: fc.nat(8), isKnown: fc.nat(4).map((draw) => draw > 0) }
  const histories = <Input, Output>(calls: fc.Arbitrary<{ readonly input: Input; readonly output: Output }>) =>
    fc.array(
      fc.record({ call: calls, ...times }).map(({ call, startedAt, lasts, isKnown }): Operation<Input, Output> => {
        const base = { client: 'c', key: 'k', input: call.input, startedAt }
        return isKnown ? { ...base, output: call.output, endedAt: startedAt + lasts } : base
      }),
      { minLength: 1, maxLength: 6 },
    )
  const agrees = <State, Input, Output>(
    model: SequentialModel<State, Input, Output>,
    history: readonly Operation<Input, Output>[],
  ) => {
    expect(verdictOf(model, history)).toBe(bruteForce(model, history) ? 'linearizable' : 'not linearizable')
  }
  const runs = { numRuns: 2000 }

  const decisions = fc.record({ allowed: fc.boolean(), remaining: fc.nat(2) })
  test.prop([histories(decisions.map((output) => ({ input: consume, output })))], runs)('a counter', (history) =>
    agrees(limitModel(3), history),
  )
  const replies = fc.record({ code: fc.nat(11), found: fc.boolean(), value: fc.constantFrom('v0', 'v1', 'v4', 'v5') })
  const calls = replies.map(({ code, found, value }): { input: RecordCall; output: RecordReply } => {
    const input = recordCall(code)
    return { input, output: input.kind === 'read' && found ? { found, value } : { found: found || code % 4 === 0 } }
  })
  test.prop([histories(calls)], runs)('a record', (history) => agrees(recordModel(), history))

  const inWindows = fc.record({ allowed: fc.boolean(), windowEndsAt: fc.nat(2) })
  test.prop([histories(inWindows.map((output) => ({ input: consume, output })))], runs)(
    'a counter per window',
    (history) => agrees(windowLimitModel(2), history),
  )
})

describe('changed histories are rejected, with a part that is a violation by itself', () => {
  const unknownRemoved = (steps: Drawn) => steps.map((step) => ({ ...step, fate: 9 }))

  test.prop([drawn(60), fc.nat()])('two requests with the same remaining count', (steps, choice) => {
    const history = counting(unknownRemoved(steps), 100)
    const copied = history[choice % history.length] as (typeof history)[number]
    const report = checkLinearizable(limitModel(100), [...history, { ...copied, client: 'copy' }])
    expect(report.verdict).toBe('not linearizable')
    if (report.verdict !== 'not linearizable') return
    const { operations, others } = report.violation
    expect(verdictOf(limitModel(100), [...operations, ...others])).toBe('not linearizable')
    expect(operations.length).toBeLessThanOrEqual(3)
  })

  test.prop([drawn(60), fc.nat()])('a read of a value that was never written', (steps, choice) => {
    const history = recording(unknownRemoved(steps))
    const at = (choice % history.length) * 10
    const read = { kind: 'read' } as const
    const wrong = { client: 'reader', key: 'k', input: read, startedAt: at, endedAt: at + 5 }
    const report = checkLinearizable(recordModel(), [...history, { ...wrong, output: { found: true, value: 'never' } }])
    expect(report).toMatchObject({ verdict: 'not linearizable', violation: { operations: [{ client: 'reader' }] } })
  })
})
