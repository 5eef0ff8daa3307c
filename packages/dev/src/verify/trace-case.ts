/**
 * Traces as they are drawn: who sends how much and when, and what happens to the gateway meanwhile. Bursts and silences
 * are the testkit's, made to trouble one limit; a case is small numbers only, so that it shrinks to the plainest one.
 */
import { decodeTrace, stepCodes } from '@turnpike/testkit'
import fc from 'fast-check'
import type { Happening, LawFilter } from './law-filter.ts'
import { wholeAmount } from './meter.ts'
import type { Cast } from './scene.ts'

export interface TraceCase {
  /** Which kind of key; a second one joins in where `keys` is 3. */
  readonly cast: number
  readonly keys: number
  /** The limit that bursts are made to trouble. */
  readonly focus: number
  /** First use a quota up, as slowly as the other limits want it. */
  readonly useUp: boolean
  readonly clockSteps: boolean
  readonly codes: readonly number[]
  readonly happenings: readonly { readonly before: number; readonly what: Happening; readonly key: number }[]
}

/** A case made concrete: what is done, in order. */
export type Action =
  /** `afterMs`: since the action before; below 0 the clock is set back. */
  | {
      readonly kind: 'send'
      readonly afterMs: number
      readonly key: number
      readonly aim: number
      readonly count: number
    }
  | { readonly kind: 'use-up'; readonly key: number; readonly aim: number; readonly limit: number }
  | { readonly kind: Happening; readonly key: number }

/** Bursts and silences of one trace, at the most. */
const mostSteps = 16

/** A store may forget a counter that has been over for a minute; a clock that goes back further meets it no more. */
const mostBackMs = 59_000

/** Requests at one instant, at the most. */
const mostAtOnce = 300

export function traceCases(casts: number, filter: LawFilter): fc.Arbitrary<TraceCase> {
  const { happenings } = filter
  // Made short in this order: what happens to the gateway goes first, so that what is left of it matters.
  return fc.record({
    happenings:
      happenings.length === 0
        ? fc.constant([])
        : fc.array(fc.record({ before: fc.nat(mostSteps - 1), what: fc.constantFrom(...happenings), key: fc.nat(2) }), {
            maxLength: 3,
          }),
    cast: fc.nat(Math.max(0, casts - 1)),
    keys: filter.severalKeys ? fc.integer({ min: 1, max: 3 }) : fc.constant(1),
    focus: fc.nat(15),
    useUp: fc.boolean(),
    clockSteps:
      filter.clockSteps === 'always' ? fc.constant(true) : fc.nat(4).map((draw) => filter.clockSteps && draw === 4),
    codes: stepCodes(mostSteps),
  })
}

/** The kinds of keys that take part, by key. */
export function castOfKeys({ cast, keys }: TraceCase, casts: readonly Cast[]): Cast[] {
  const first = casts[cast % casts.length] as Cast
  const other = casts[(cast + 1) % casts.length] as Cast
  return Array.from({ length: keys }, (_, key) => (key === 2 ? other : first))
}

/** Plainer cases of the same trace, to see whether they break the same promise. */
export const plainer: readonly ((drawn: TraceCase) => TraceCase)[] = [
  (drawn) => ({ ...drawn, happenings: [] }),
  (drawn) => ({ ...drawn, clockSteps: false }),
  (drawn) => ({ ...drawn, keys: 1 }),
  (drawn) => ({ ...drawn, useUp: false }),
]

/** What a case comes to. `start`: where the clock stands. */
export function actionsOf(drawn: TraceCase, keys: readonly Cast[], start: number): Action[] {
  const aims = keys[0]?.aims ?? []
  // The smallest first: a case that is made shorter ends at the limit that takes the fewest requests to show.
  const all = aims.flatMap(({ limits }, aim) => limits.map((limit, index) => ({ aim, limit, index })))
  const focused = [...new Map(all.toReversed().map((one) => [one.limit.counter, one])).values()].toSorted(
    (a, b) => a.limit.amount.count - b.limit.amount.count,
  )
  const focus = focused[drawn.focus % Math.max(1, focused.length)]
  if (focus === undefined) return []
  const { most, windowMs } = wholeAmount({ ...focus.limit.amount, seconds: focus.limit.amount.seconds || 60 })
  const shape = {
    windowMs: Math.ceil(windowMs),
    limit: Math.min(most, mostAtOnce),
    keys: keys.length,
    clockSteps: drawn.clockSteps,
  }
  const isSlow = drawn.useUp && focus.limit.what === 'quota'
  const actions: Action[] = isSlow ? [{ kind: 'use-up', key: 0, aim: focus.aim, limit: focus.index }] : []
  let at = start
  let peak = start
  for (const [step, code] of drawn.codes.entries()) {
    for (const { before, what, key } of drawn.happenings) {
      if (before === step && fits(what, drawn)) actions.push({ kind: what, key: key % keys.length })
    }
    const requests = decodeTrace([code], at, shape)
    const next = Math.max(requests[0]?.at ?? at, peak - mostBackMs)
    const afterMs = next - at
    at = next
    peak = Math.max(peak, at)
    const key = (requests[0]?.key.charCodeAt(0) ?? 97) - 97
    const own = keys[key]?.aims.length ?? 1
    // Mostly what is in focus: an eighth of the steps goes elsewhere.
    const aim = key < 2 && code >> 21 < 7 ? focus.aim : (code >> 12) % own
    actions.push({ kind: 'send', afterMs, key, aim, count: requests.length })
  }
  return actions
}

/** An update opens a rate anew by the second of its time, which a clock that steps back can meet twice. */
function fits(what: Happening, { clockSteps }: TraceCase): boolean {
  return what !== 'update' || !clockSteps
}
