/**
 * Generates traces of requests at the edges of a rate limit: bursts around the limit, instants at, just before and just
 * after the edges of windows, pauses, several keys, larger amounts, and clocks that step back.
 *
 * Each step is generated as one integer and decoded here. This is far cheaper than generating its parts, so that 100,000
 * requests take seconds. Smaller integers decode to simpler steps, so that shrinking ends at a simple trace.
 */
import type { Millis } from '@turnpike/core/lib'
import fc from 'fast-check'
import { aFlag, aNumber, aPositiveNumber, aWholeNumber, checkInput, checkOptions } from '../check-input.ts'

/** A request of a trace. */
export interface RateRequest {
  readonly at: Millis
  readonly key: string
  readonly amount: number
}

/** The limit that a trace tests, and what the trace may contain. */
export interface TraceShape {
  readonly windowMs: Millis
  /** The limit in requests per window. Bursts have about this size. */
  readonly limit: number
  /** Number of keys. Default 1. */
  readonly keys?: number | undefined
  /** Largest amount of one request. Default 1. */
  readonly amounts?: number | undefined
  /** Whether the clock sometimes steps back. Default false. */
  readonly clockSteps?: boolean | undefined
}

/** The keys of a trace are letters. */
const someKeys = aWholeNumber(1)
export const shapeChecks = {
  windowMs: aPositiveNumber,
  limit: aWholeNumber(1),
  keys: (value: unknown) => ((someKeys(value) ?? (value as number) > 26) ? 'a whole number from 1 to 26' : undefined),
  amounts: aWholeNumber(1),
  clockSteps: aFlag,
}

/** Maximum number of steps in a trace. A step is a pause and a burst of about three requests. */
export const stepsPerTrace = 60

/** Generates the step codes of one trace. */
export function stepCodes(maxSteps = stepsPerTrace): fc.Arbitrary<number[]> {
  checkInput('stepCodes', 'the maximum of steps', maxSteps, aWholeNumber(1))
  return fc.array(fc.nat(0xff_ffff), { maxLength: maxSteps, minLength: 1, size: 'max' })
}

/** Decodes a trace that begins at `start` (milliseconds since 1970) from its step codes. */
export function decodeTrace(codes: readonly number[], start: Millis, shape: TraceShape): RateRequest[] {
  const requests: RateRequest[] = []
  let at = start
  for (const code of codes) {
    const extra = code >> 12
    at = Math.max(0, at + pauseFor(code & 15, extra, at, shape))
    const key = keyName((code >> 4) % (shape.keys ?? 1))
    const burst = burstOf((code >> 6) & 7, shape.limit)
    const amount = 1 + ((code >> 9) % (shape.amounts ?? 1))
    for (let i = 0; i < burst; i += 1) requests.push({ at, key, amount })
  }
  return requests
}

/** Generates traces that begin at `start`. */
export function traces(start: Millis, shape: TraceShape): fc.Arbitrary<RateRequest[]> {
  checkInput('traces', 'the start', start, aNumber)
  checkOptions('traces', shape, shapeChecks, ['windowMs', 'limit'])
  return stepCodes().map((codes) => decodeTrace(codes, start, shape))
}

/** Formats a trace with one line per request; times are relative to the first request. */
export function showTrace(requests: readonly RateRequest[]): string {
  const start = requests[0]?.at ?? 0
  const lines = requests.map(({ at, key, amount }, index) => {
    const times = amount === 1 ? '' : ` × ${amount}`
    return `  ${index}: ${at - start} ms  ${key}${times}`
  })
  return [`  begins at ${start}`, ...lines].join('\n')
}

function keyName(index: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + index)
}

function burstOf(choice: number, limit: number): number {
  if (choice < 3) return 1
  if (choice === 3) return 2
  if (choice === 4) return Math.max(1, limit - 1)
  return choice === 5 ? limit + 1 : limit
}

function pauseFor(choice: number, extra: number, at: Millis, shape: TraceShape): Millis {
  const { windowMs, limit, clockSteps = false } = shape
  const toEdge = windowMs - (at % windowMs)
  const pauses = [
    0,
    0,
    1,
    extra & 7,
    windowMs - 1,
    windowMs,
    windowMs + 1,
    toEdge - 1,
    toEdge,
    Math.floor(windowMs / limit),
    Math.ceil(windowMs / limit),
    Math.floor(windowMs / 2),
    Math.floor((windowMs * extra) / 4096),
    2 * windowMs + extra,
    clockSteps ? -1 - (extra % windowMs) : extra,
    clockSteps ? -windowMs - extra : 0,
  ]
  return pauses[choice] as Millis
}
