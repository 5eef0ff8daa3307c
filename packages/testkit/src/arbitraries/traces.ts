/**
 * Traces of requests that look for trouble: bursts around the limit's number, instants at, just before and just after
 * the edges of windows, silences, several keys, larger amounts, clocks that step back.
 *
 * A step is drawn as one whole number and decoded here. That costs far less than drawing its parts, so a hundred
 * thousand requests take a moment, and smaller numbers mean tamer steps, so shrinking ends at the plainest trace.
 */
import type { Millis } from '@turnpike/core'
import fc from 'fast-check'

/** A request of a trace. */
export interface RateRequest {
  readonly at: Millis
  readonly key: string
  readonly amount: number
}

/** What a trace is made to trouble. */
export interface TraceShape {
  readonly windowMs: Millis
  /** The limit's number; bursts are made around it. */
  readonly most: number
  /** How many keys ask. Default 1. */
  readonly keys?: number | undefined
  /** Largest amount of a request. Default 1. */
  readonly amounts?: number | undefined
  /** Whether the clock steps back now and then. Default false. */
  readonly clockSteps?: boolean | undefined
}

/** Steps of a trace; a step is a silence and the burst after it, about three requests. */
export const stepsPerTrace = 60

/** Codes of the steps of one trace. */
export function stepCodes(maxSteps = stepsPerTrace): fc.Arbitrary<number[]> {
  return fc.array(fc.nat(0xff_ffff), { maxLength: maxSteps, minLength: 1, size: 'max' })
}

/** A trace from its step codes, beginning at `start`. */
export function decodeTrace(codes: readonly number[], start: Millis, shape: TraceShape): RateRequest[] {
  const requests: RateRequest[] = []
  let at = start
  for (const code of codes) {
    const extra = code >> 12
    at = Math.max(0, at + silence(code & 15, extra, at, shape))
    const key = keyName((code >> 4) % (shape.keys ?? 1))
    const burst = burstOf((code >> 6) & 7, shape.most)
    const amount = 1 + ((code >> 9) % (shape.amounts ?? 1))
    for (let i = 0; i < burst; i += 1) requests.push({ at, key, amount })
  }
  return requests
}

/** Draws a trace. */
export function traces(start: Millis, shape: TraceShape): fc.Arbitrary<RateRequest[]> {
  return stepCodes().map((codes) => decodeTrace(codes, start, shape))
}

/** A trace for people: one line per request, times from the first. */
export function showTrace(requests: readonly RateRequest[]): string {
  const start = requests[0]?.at ?? 0
  const lines = requests.map(({ at, key, amount }, index) => {
    const often = amount === 1 ? '' : ` × ${amount}`
    return `  ${index}: ${at - start} ms  ${key}${often}`
  })
  return [`  begins at ${start}`, ...lines].join('\n')
}

function keyName(index: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + index)
}

function burstOf(choice: number, most: number): number {
  if (choice < 3) return 1
  if (choice === 3) return 2
  if (choice === 4) return Math.max(1, most - 1)
  return choice === 5 ? most + 1 : most
}

function silence(choice: number, extra: number, at: Millis, shape: TraceShape): Millis {
  const { windowMs, most } = shape
  const toEdge = windowMs - (at % windowMs)
  switch (choice) {
    case 0:
    case 1:
      return 0
    case 2:
      return 1
    case 3:
      return extra & 7
    case 4:
      return windowMs - 1
    case 5:
      return windowMs
    case 6:
      return windowMs + 1
    case 7:
      return toEdge - 1
    case 8:
      return toEdge
    case 9:
      return Math.floor(windowMs / most)
    case 10:
      return Math.ceil(windowMs / most)
    case 11:
      return Math.floor(windowMs / 2)
    case 12:
      return Math.floor((windowMs * extra) / 4096)
    case 13:
      return 2 * windowMs + extra
    case 14:
      return shape.clockSteps === true ? -1 - (extra % windowMs) : extra
    default:
      return shape.clockSteps === true ? -windowMs - extra : 0
  }
}
