/**
 * Generated traces: which keys send how many requests and when, and what happens to the gateway in between. The
 * testkit generates bursts and pauses around one limit. A case consists of small numbers only, so that it shrinks to
 * the simplest one.
 */
import { decodeTrace, stepCodes } from '@turnpike/testkit'
import fc from 'fast-check'
import { capacity, wholeAmount } from './limit-model.ts'
import type { RequestLimit } from './limits-of-request.ts'
import type { GatewayEvent, PropertyFilter } from './property-filter.ts'
import type { KeyKind } from './trace-subjects.ts'

export interface TraceCase {
  /** Index of the kind of key; the next kind takes part if `keys` is 3. */
  readonly keyKind: number
  readonly keys: number
  /** Index of the limit that bursts are generated around. */
  readonly focus: number
  /**
   * Starts by exhausting the limit in focus if it is a quota or if the case has no steps: as slowly as the other limits
   * require, up to the first rejected request.
   */
  readonly useUp: boolean
  readonly clockSteps: boolean
  readonly codes: readonly number[]
  readonly events: readonly { readonly before: number; readonly what: GatewayEvent; readonly key: number }[]
}

/** A step of a trace. A trace is a list of actions in order. */
export type Action =
  /** `afterMs` is the time since the previous action; a negative value sets the clock back. */
  | {
      readonly kind: 'send'
      readonly afterMs: number
      readonly key: number
      readonly limitedTarget: number
      readonly count: number
    }
  | { readonly kind: 'use-up'; readonly key: number; readonly limitedTarget: number; readonly limit: number }
  | { readonly kind: GatewayEvent; readonly key: number }

/** Maximum number of bursts and pauses in a trace. */
const maxSteps = 16

/** A store may delete a counter one minute after it expires, so a clock that steps back further would not find it. */
const maxStepBackMs = 59_000

/** Largest limit that a burst of concurrent requests exceeds by one. */
const maxConcurrent = 300

/** Maximum number of requests spent to exhaust a limit. A larger limit is not exercised. */
export const maxToExhaust = 1500

export function traceCases(keyKinds: number, filter: PropertyFilter): fc.Arbitrary<TraceCase> {
  const { events } = filter
  // Fields shrink in this order. Gateway events come first, so that those left in the shrunk trace are necessary.
  return fc.record({
    events:
      events.length === 0
        ? fc.constant([])
        : fc.array(fc.record({ before: fc.nat(maxSteps - 1), what: fc.constantFrom(...events), key: fc.nat(2) }), {
            maxLength: 3,
          }),
    keyKind: fc.nat(Math.max(0, keyKinds - 1)),
    keys: filter.severalKeys ? fc.integer({ min: 1, max: 3 }) : fc.constant(1),
    focus: fc.nat(15),
    useUp: fc.boolean(),
    clockSteps:
      filter.clockSteps === 'always'
        ? fc.constant(true)
        : fc.nat(4).map(
            (draw) => filter.clockSteps && draw === 4,
            (steps) => (steps === true ? 4 : 0),
          ),
    codes: stepCodes(maxSteps),
  })
}

/** Returns the kind of each key that takes part. */
export function kindsOfKeys({ keyKind, keys }: TraceCase, keyKinds: readonly KeyKind[]): KeyKind[] {
  const first = keyKinds[keyKind % keyKinds.length] as KeyKind
  const other = keyKinds[(keyKind + 1) % keyKinds.length] as KeyKind
  return Array.from({ length: keys }, (_, key) => (key === 2 ? other : first))
}

/** Each returns a simpler variant of a case, without its events, its clock steps, its further keys or its first exhaustion. */
export const simplifications: readonly ((traceCase: TraceCase) => TraceCase)[] = [
  (traceCase) => ({ ...traceCase, events: [] }),
  (traceCase) => ({ ...traceCase, clockSteps: false }),
  (traceCase) => ({ ...traceCase, keys: 1 }),
  (traceCase) => ({ ...traceCase, useUp: false }),
]

/**
 * Returns one case for each guarantee, which only exhausts it, so that no guarantee depends on luck to be exercised.
 * Guarantees that no key of the files can exhaust, because another limit rejects its requests first, have none.
 */
export function exhaustingCases(keyKinds: readonly KeyKind[]): TraceCase[] {
  const plain = { keys: 1, useUp: true, clockSteps: false, codes: [], events: [] }
  const seen = new Set<string>()
  return keyKinds.flatMap((kind, keyKind) =>
    focusesOf(kind).flatMap(({ limit, limitedTarget }, focus): TraceCase[] => {
      const others = kind.limitedTargets[limitedTarget]?.limits ?? []
      if (seen.has(limit.words) || !canExhaust(limit, others)) return []
      seen.add(limit.words)
      return [{ ...plain, keyKind, focus }]
    }),
  )
}

/** Returns true if the other limits of the same request let enough requests pass in one period of the limit. */
function canExhaust(limit: RequestLimit, others: readonly RequestLimit[]): boolean {
  const { most, windowMs } = wholeAmount(limit.amount)
  if (most > maxToExhaust) return false
  const seconds = windowMs <= 0 ? Number.POSITIVE_INFINITY : windowMs / 1000
  return others.every((other) => other === limit || capacity(other.amount, seconds) >= most)
}

interface Focus {
  readonly limitedTarget: number
  readonly limit: RequestLimit
  readonly index: number
}

/** The limits of a kind of key, smallest first, so that shrinking ends at the limit that needs the fewest requests. */
function focusesOf(keyKind: KeyKind | undefined): Focus[] {
  const all = (keyKind?.limitedTargets ?? []).flatMap(({ limits }, limitedTarget) =>
    limits.map((limit, index) => ({ limitedTarget, limit, index })),
  )
  const byCounter = new Map(all.toReversed().map((one) => [one.limit.counter, one]))
  return [...byCounter.values()].toSorted((a, b) => a.limit.amount.count - b.limit.amount.count)
}

/** Converts a case to actions. `start` is the time of the clock at the beginning. */
export function actionsOf(traceCase: TraceCase, keys: readonly KeyKind[], start: number): Action[] {
  const focused = focusesOf(keys[0])
  const focus = focused[traceCase.focus % Math.max(1, focused.length)]
  if (focus === undefined) return []
  const { most, windowMs } = wholeAmount({ ...focus.limit.amount, seconds: focus.limit.amount.seconds || 60 })
  const shape = {
    windowMs: Math.ceil(windowMs),
    limit: Math.min(most, maxConcurrent),
    keys: keys.length,
    clockSteps: traceCase.clockSteps,
  }
  const isSlow = traceCase.useUp && (focus.limit.what === 'quota' || traceCase.codes.length === 0)
  const actions: Action[] = isSlow
    ? [{ kind: 'use-up', key: 0, limitedTarget: focus.limitedTarget, limit: focus.index }]
    : []
  let at = start
  let peak = start
  for (const [step, code] of traceCase.codes.entries()) {
    for (const { before, what, key } of traceCase.events) {
      if (before === step && mayHappen(what, traceCase)) actions.push({ kind: what, key: key % keys.length })
    }
    const requests = decodeTrace([code], at, shape)
    const latest = at + longestPauseMs(keys)
    const next = Math.min(latest, Math.max(requests[0]?.at ?? at, peak - maxStepBackMs))
    const afterMs = next - at
    at = next
    peak = Math.max(peak, at)
    const key = (requests[0]?.key.charCodeAt(0) ?? 97) - 97
    const own = keys[key]?.limitedTargets.length ?? 1
    // One eighth of the steps, and all steps of the third key, use any limit.
    const limitedTarget = key < 2 && code >> 21 < 7 ? focus.limitedTarget : (code >> 12) % own
    actions.push({ kind: 'send', afterMs, key, limitedTarget, count: requests.length })
  }
  return actions
}

/** A store may forget a smoothed allowance one minute after the window of the last request. */
function longestPauseMs(keys: readonly KeyKind[]): number {
  const amounts = keys.flatMap(({ limitedTargets }) => limitedTargets.flatMap(({ limits }) => limits))
  const smoothed = amounts.filter(({ amount }) => amount.smoothing !== undefined)
  return Math.min(...smoothed.map(({ amount }) => wholeAmount(amount).windowMs + maxStepBackMs))
}

/** An update resets a rate by the second of its time, and a clock that steps back can repeat that second. */
function mayHappen(what: GatewayEvent, { clockSteps }: TraceCase): boolean {
  return what !== 'update' || !clockSteps
}
