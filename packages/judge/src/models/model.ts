/**
 * A model says which decisions a kind of limiter can make. Real time is uncertain: a gateway decides a request at an
 * unknown instant between sending and response, and concurrent requests in an unknown order. A model therefore
 * contradicts a history only if no instants and no order within these bounds lead to the observed decisions.
 */
import type { Group } from '../trace/trace-and-history.ts'

export const kinds = [
  'fixed-window',
  'sliding-window',
  'rolling-log',
  'token-bucket',
  'spacing',
  'blocking',
  'delaying',
] as const
export type Kind = (typeof kinds)[number]

/** At most `count` requests in `periodMs`. */
export interface RateLimit {
  readonly count: number
  readonly periodMs: number
  /** Requests that a full bucket admits at once. Default: found by probing, at most `count`. */
  readonly burst?: number
  /** How long a client is blocked after it has exceeded the limit. Default: not at all, or for `periodMs`. */
  readonly blockMs?: number
  /** How much a request may come too early. Default 0. */
  readonly slackMs?: number
}

export interface Range {
  readonly min: number
  readonly max: number
}

/** The group whose decisions the model cannot make, and how many of its requests the model would have admitted. */
export interface Contradiction {
  readonly group: number
  readonly allowed: Range
  readonly direction: 'too many' | 'too few'
}

export type Explanation =
  /** `learned` is the model with what the history shows about its parameters. */
  { readonly learned: Model; readonly contradiction?: undefined } | { readonly contradiction: Contradiction }

export interface Model {
  readonly kind: Kind
  /** For people, such as "fixed window that starts with the first request". */
  readonly name: string
  /** Explains the history of a fresh client, or says what contradicts it. */
  explain(groups: readonly Group[]): Explanation
  /** The most that a limiter of this kind admits, with what is known about its parameters. */
  upper?(): Model
  /** When windows begin, as ms after whole multiples of the period, if the model knows it. */
  readonly edge?: Range
}

/** For people, such as "1.5 s". */
export function secondsOf(ms: number): string {
  return `${Number((ms / 1000).toFixed(3))} s`
}

/** Clocks of gateways count whole milliseconds and may be read slightly before a request arrives. */
export function slackMs(elapsedMs: number): number {
  return 2 + Math.abs(elapsedMs) * 1e-4
}

/** The contradiction of a group that admitted a number outside of the range. */
export function contradictionOf(group: number, admitted: number, allowed: Range): Contradiction {
  return { group, allowed, direction: admitted > allowed.max ? 'too many' : 'too few' }
}
